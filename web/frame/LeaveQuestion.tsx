import { useBlocker } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { hasUnsavedChanges } from '../ui/form/unsaved.ts';

// Screens with a form have loaded it: it is in the file of the fields.
const Confirm = lazy(async () => ({ default: (await import('../ui/overlay/confirm.tsx')).Confirm }));

/** Asks before another screen is opened while a form has changes. Filters and sheets of a screen change its address, not its path. */
export function LeaveQuestion() {
  const { t } = useTranslation('ui');
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasUnsavedChanges(),
    enableBeforeUnload: false,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Suspense fallback={null}>
      <Confirm
        isOpen
        onClose={reset}
        title={t('sheet.discardTitle')}
        text={t('sheet.discardText')}
        action={t('sheet.discard')}
        onConfirm={proceed}
      />
    </Suspense>
  );
}
