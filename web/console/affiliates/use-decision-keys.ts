// Keys that decide about the focused row: A approves it, or the selected affiliates; I opens the invitation.
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { useNavigate } from '../../ui/layout/link.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { useUndo } from './bulk/use-undo.ts';
import { nameOf, type Row } from './use-columns.tsx';

type Given = { rows: readonly Row[] | undefined; hasSelection: boolean; onBulkApprove: () => void };

export function useDecisionKeys({ rows, hasSelection, onBulkApprove }: Given): void {
  const { t } = useTranslation('affiliate-table');
  const { id: programId, can, href } = useProgram();
  const navigate = useNavigate();
  const undo = useUndo();
  const decide = useAction('affiliates.decide', { invalidates: ['affiliateTable.list', 'overview.get'] });
  const isEnabled = can('affiliates.write');
  const approve = () => {
    if (hasSelection) return onBulkApprove();
    const id = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row;
    const row = rows?.find((each) => each.id === id);
    if (!row || row.status === 'active') return;
    decide.mutate(
      { path: { programId, id: row.id }, body: { decision: 'approve' } },
      {
        onSuccess: ({ changeSetId }) =>
          showToast(t('approved', { name: nameOf(row) }), { tone: 'success', onUndo: () => undo(changeSetId) }),
        onError: (error) => showToast(error.message, { tone: 'error' }),
      },
    );
  };
  useShortcut({ keys: 'a', label: t('keys.approve'), isEnabled, run: approve });
  useShortcut({ keys: 'c', label: t('keys.invite'), isEnabled, run: () => navigate(href('affiliates?sheet=invite')) });
}
