// Forms that need more than a session ask for it before anything is typed.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../api/call.ts';
import { meKey } from '../session/me.ts';
import { useProgram } from '../session/program.ts';
import { wait } from './wait.ts';

/** The service asks again after ten minutes; the form has to be filled by then. */
const freshForMs = 8 * 60_000;

/** Asks for a second factor and a recent proof of identity when a sensitive form opens. `onCancel`: the user did neither. */
export function useStepUp(isOpen: boolean, onCancel: () => void): void {
  const { can } = useProgram();
  useProof(isOpen, onCancel, can('payouts.prepare') || can('payouts.approve') || can('payouts.reconcile'));
}

/** Asks affiliates for a recent proof of identity when a sensitive form opens. `onCancel`: the user gave none. */
export function useRecentSignIn(isOpen: boolean, onCancel: () => void): void {
  useProof(isOpen, onCancel, false);
}

function useProof(isOpen: boolean, onCancel: () => void, handlesMoney: boolean): void {
  const client = useQueryClient();
  const latest = useRef(onCancel);
  latest.current = onCancel;
  useEffect(() => {
    if (!isOpen) return;
    let isClosed = false;
    const ask = async () => {
      if (handlesMoney && !(await hasFactor()) && !(await wait('setUpFactor'))) return false;
      const { session } = await call('appMe.get', {});
      if (Date.now() - Date.parse(session.freshAt) < freshForMs) return true;
      const isConfirmed = await wait('confirm');
      void client.invalidateQueries({ queryKey: meKey });
      return isConfirmed;
    };
    // The service decides whether confirmation is needed. If this request fails, submitting the form asks again.
    void ask().then(
      (isReady) => {
        if (!isReady && !isClosed) latest.current();
      },
      () => {},
    );
    return () => {
      isClosed = true;
    };
  }, [isOpen, handlesMoney, client]);
}

async function hasFactor(): Promise<boolean> {
  const [{ passkeys }, { isEnabled }] = await Promise.all([call('passkeys.list', {}), call('secondFactor.get', {})]);
  return isEnabled || passkeys.length > 0;
}
