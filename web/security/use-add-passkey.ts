import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../api/call.ts';
import { RequestError } from '../api/errors.ts';
import { showToast } from '../ui/overlay/toasts.tsx';

/** Adds a passkey with the browser's own dialog. Closing that dialog is a decision, not a failure. */
export function useAddPasskey(): { start: () => Promise<void>; isBusy: boolean; problem: string | null } {
  const { t } = useTranslation('security');
  const client = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const start = async () => {
    setIsBusy(true);
    setProblem(null);
    try {
      // Loaded when a passkey is added.
      const { startRegistration } = await import('@simplewebauthn/browser');
      const { options } = await call('passkeys.registerOptions', {});
      // The API passes on what the browser expects, without a type.
      type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];
      const response = await startRegistration({ optionsJSON: options as unknown as Options });
      const passkey = await call('passkeys.create', { body: { response: { ...response, type: 'public-key' } } } as never);
      showToast(t('passkeys.addedToast', { name: (passkey as { name: string }).name }));
      await client.invalidateQueries({ queryKey: ['passkeys.list'] });
    } catch (error) {
      setProblem(explain(error, t));
    }
    setIsBusy(false);
  };
  return { start, isBusy, problem };
}

type Translate = ReturnType<typeof useTranslation<'security'>>['t'];

function explain(error: unknown, t: Translate): string | null {
  if (error instanceof RequestError) return error.needsConfirmation ? null : error.message;
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') return null;
  return t(name === 'InvalidStateError' ? 'passkeys.exists' : 'passkeys.failed');
}
