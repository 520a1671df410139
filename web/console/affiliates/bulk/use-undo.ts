import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { showToast } from '../../../ui/overlay/toasts.tsx';

/** Undoes a decision or a change to several affiliates, by the id of its change set. */
export function useUndo(): (changeSetId: string) => void {
  const { t } = useTranslation('affiliate-table');
  const { id: programId } = useProgram();
  const { mutate } = useAction('affiliateChangeSets.undo', {
    invalidates: ['affiliateTable.list', 'affiliateTable.summary', 'affiliates.get', 'overview.get'],
  });
  return (id) =>
    mutate(
      { path: { programId, id } },
      {
        onSuccess: ({ skipped }) => showToast(skipped === 0 ? t('undone') : t('undoneExcept', { count: skipped }), { icon: 'undo' }),
        onError: (error) => showToast(error.message, { tone: 'error' }),
      },
    );
}
