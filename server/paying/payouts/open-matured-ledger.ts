import type { Tx } from '../../context.ts';
import { matureSome } from '../../earning/commissions/mature.ts';
import { type LockedLedger, openLedger } from '../../earning/ledger/post.ts';
import { sqlState } from '../../platform/db/statements/sql-state.ts';
import { ApiError } from '../../platform/lib/errors.ts';

const lockNotAvailable = '55P03';

/** 503 `dispatch_in_progress`, as endpoints declare it. */
export const dispatchInProgress = {
  status: 503,
  code: 'dispatch_in_progress',
  when: 'Another operation has been changing the balances of the program for seconds, such as a large dispatch. Nothing was paid.',
} as const;

class DispatchInProgress extends ApiError {
  constructor(cause: unknown) {
    super(
      dispatchInProgress.status,
      dispatchInProgress.code,
      'Another operation is changing the balances of this program, such as a dispatch. This dispatch paid nothing. Try again.',
      { retryAfterSeconds: 5, cause: cause instanceof Error ? cause : undefined },
    );
  }
}

/** Locks the ledger for a dispatch. While another one holds it for long, the error says that repeating the request is safe. */
export async function openLedgerToPay(tx: Tx, programId: string): Promise<LockedLedger> {
  try {
    return await openLedger(tx, programId);
  } catch (error) {
    throw sqlState(error) === lockNotAvailable ? new DispatchInProgress(error) : error;
  }
}

/** Locks the ledger after maturing every commission whose time has come, because the schedule can be minutes late. */
export async function openMaturedLedger(tx: Tx, programId: string): Promise<LockedLedger> {
  let ledger = await openLedger(tx, programId);
  while ((await matureSome(tx, programId)) > 0) ledger = await openLedger(tx, programId);
  return ledger;
}
