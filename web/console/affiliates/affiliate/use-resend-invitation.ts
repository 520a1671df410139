import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import type { Details } from './details.ts';

/** Sends the invitation again and reports the outcome. */
export function useResendInvitation({ id, email }: Pick<Details, 'id' | 'email'>): () => void {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const action = useAction('affiliates.resendInvitation', { invalidates: ['affiliateTable.summary', 'affiliateTable.activity'] });
  return () =>
    action.mutate(
      { path: { programId, id } },
      {
        onSuccess: () => showToast(t('actions.resent', { email }), { icon: 'send' }),
        onError: (error) => showToast(error.message, { tone: 'error' }),
      },
    );
}
