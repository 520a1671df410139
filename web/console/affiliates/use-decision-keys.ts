// Keys that decide about the focused row: A approves it, or the selected affiliates; I opens the invitation.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { useNavigate } from '../../ui/layout/link.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { useUndo } from './bulk/use-undo.ts';
import type { Applicant } from './decision/ApproveSheet.tsx';
import { useApprove } from './decision/use-approve.tsx';
import { nameOf, type Row } from './use-columns.tsx';

type Given = { rows: readonly Row[] | undefined; hasSelection: boolean; onBulkApprove: () => void };

/** Returns the sheet that asks for the group of an application. */
export function useDecisionKeys({ rows, hasSelection, onBulkApprove }: Given): ReactNode {
  const { t } = useTranslation('affiliate-table');
  const { id: programId, can, href } = useProgram();
  const navigate = useNavigate();
  const undo = useUndo();
  const decide = useAction('affiliates.decide', { invalidates: ['affiliateTable.list', 'overview.get'] });
  const isEnabled = can('affiliates.write');
  const run = ({ id, name }: Applicant, groupId: string | null | undefined) =>
    decide.mutate(
      { path: { programId, id }, body: { decision: 'approve', groupId } },
      {
        onSuccess: ({ changeSetId }) => showToast(t('approved', { name }), { tone: 'success', onUndo: () => undo(changeSetId) }),
        onError: (error) => showToast(error.message, { tone: 'error' }),
      },
    );
  const approval = useApprove(run, isEnabled);
  const approve = () => {
    if (hasSelection) return onBulkApprove();
    const id = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row;
    const row = rows?.find((each) => each.id === id);
    if (!row || row.status === 'active') return;
    approval.ask({ id: row.id, name: nameOf(row), status: row.status, group: row.group });
  };
  useShortcut({ keys: 'a', label: t('keys.approve'), isEnabled, run: approve });
  useShortcut({ keys: 'c', label: t('keys.invite'), isEnabled, run: () => navigate(href('affiliates?sheet=invite')) });
  return approval.dialog;
}
