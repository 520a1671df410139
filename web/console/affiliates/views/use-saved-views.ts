// Saved views of a screen: the user's own ones and those that other members share.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { showProblem } from '../../../states/show-problem.ts';
import { showToast } from '../../../ui/overlay/toasts.tsx';

type SavedView = Result<'savedViews.list'>['savedViews'][number];

/** Returns the views, and a function that deletes one and reports the outcome. */
export function useSavedViews(screen: string): { saved: SavedView[]; deleteView: (id: string) => void } {
  const { t } = useTranslation('affiliate-table');
  const { id: programId } = useProgram();
  const saved = useRead('savedViews.list', { path: { programId }, query: { screen } }, { staleMs: 60_000 }).data?.savedViews ?? [];
  const remove = useAction('savedViews.delete', { invalidates: ['savedViews.list'] });
  const deleteView = (id: string) =>
    remove.mutate({ path: { programId, id } }, { onSuccess: () => showToast(t('view.deleted')), onError: showProblem });
  return { saved, deleteView };
}
