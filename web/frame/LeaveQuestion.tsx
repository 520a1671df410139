import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { hasUnsavedChanges } from '../ui/form/unsaved.ts';
import { Confirm } from '../ui/overlay/confirm.tsx';

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
    <Confirm
      isOpen
      onClose={reset}
      title={t('sheet.discardTitle')}
      text={t('sheet.discardText')}
      action={t('sheet.discard')}
      onConfirm={proceed}
    />
  );
}
