import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Confirm } from '../../../ui/overlay/confirm.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import type { Member } from './member.ts';
import styles from './members.module.css';
import { useFailure } from './use-failure.ts';

/** Until when a new role, or a new second factor, does not count for approvals and payouts. */
export function Waits({ member: { approvesFrom, paysFrom } }: { member: Member }) {
  const { t } = useTranslation('members');
  return (
    <>
      {approvesFrom === null ? null : (
        <div className={styles.detail}>
          {t('approvesFrom')} <DateTime value={approvesFrom} as="exact" />
        </div>
      )}
      {paysFrom === null ? null : (
        <div className={styles.detail}>
          {t('paysFrom')} <DateTime value={paysFrom} as="exact" />
        </div>
      )}
    </>
  );
}

type Props = { member: Member; isOpen: boolean; onClose: () => void };

/** Another owner vouches for the member, which ends these waiting times. */
export function ConfirmMember({ member: { userId, name, email }, isOpen, onClose }: Props) {
  const { t } = useTranslation('members');
  const { id: programId } = useProgram();
  const confirm = useAction('members.confirm', { invalidates: ['members.list'] });
  const explain = useFailure();
  const send = async () => {
    try {
      await confirm.mutateAsync({ path: { programId, userId }, body: {} });
      showToast(t('confirmed', { name }));
    } catch (error) {
      explain(error);
    }
    onClose();
  };
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={t('confirmTitle', { name })}
      text={t('confirmText', { name, email })}
      kind="primary"
      action={t('confirmAction', { name })}
      isBusy={confirm.isPending}
      onConfirm={() => void send()}
    />
  );
}
