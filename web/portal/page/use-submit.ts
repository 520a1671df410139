// Submitting the draft for review: save what is unsaved, ask first, show what the server rejects at its fields.
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, newIdempotencyKey } from '../../api/call.ts';
import { RequestError } from '../../api/errors.ts';
import { useFaultText } from '../../ui/form/fault-text.ts';
import { type FieldErrors, fieldErrorsOf } from '../../ui/form/form-state.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';
import type { PortalPage } from './draft-state.ts';
import type { DraftEditor } from './use-draft.ts';
import { useEditorFocus } from './use-editor-focus.ts';

type Options = { programId: string; draft: DraftEditor; onSubmitted: (page: PortalPage) => void };

export function useSubmit({ programId, draft, onSubmitted }: Options) {
  const { t } = useTranslation('portal-page');
  const faultText = useFaultText();
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [message, setMessage] = useState<string | null>(null);
  useEditorFocus(errors);
  const fail = (error: unknown): void => {
    if (!(error instanceof RequestError)) throw error;
    const found = error.code === 'slug_taken' ? { slug: t('address.taken') } : fieldErrorsOf(error.details, faultText);
    setErrors(found);
    const count = Object.keys(found).length;
    if (error.status === 0) setMessage(t('submit.offline'));
    else setMessage(count > 0 ? t('submit.faults', { count }) : faultText(error.message));
  };
  const send = async (): Promise<void> => {
    setIsBusy(true);
    setMessage(null);
    try {
      if (!(await draft.flush())) return setMessage(t('submit.offline'));
      const { draft: current } = await call('portalPage.get', { path: { programId } });
      await call('portalPage.submit', { path: { programId }, body: { version: current.version } }, { idempotencyKey: newIdempotencyKey() });
      onSubmitted(await call('portalPage.get', { path: { programId } }));
      setErrors({});
      showToast(t('submit.done'));
    } catch (error) {
      fail(error);
    } finally {
      setIsBusy(false);
      setIsAsking(false);
    }
  };
  return {
    isAsking,
    isBusy,
    isPossible: draft.state !== 'outdated',
    errors,
    message,
    ask: () => setIsAsking(true),
    cancel: () => setIsAsking(false),
    send,
    clearErrors: useCallback((names: readonly string[]) => {
      setMessage(null);
      setErrors((current) => Object.fromEntries(Object.entries(current).filter(([name]) => !names.includes(name))));
    }, []),
  };
}

export type Submit = ReturnType<typeof useSubmit>;
