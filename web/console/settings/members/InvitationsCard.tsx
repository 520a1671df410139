// Invitations that were not accepted yet.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Card, RowList } from '../../../ui/layout/card.tsx';
import { Avatar } from '../../../ui/marks/avatar.tsx';
import { Status } from '../../../ui/marks/status.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import styles from './members.module.css';
import { useFailure } from './use-failure.ts';

type Invitation = Result<'memberInvitations.list'>['memberInvitations'][number];

export function InvitationsCard() {
  const { t } = useTranslation('members');
  const { id: programId } = useProgram();
  const read = useRead('memberInvitations.list', { path: { programId } });
  return (
    <Card title={t('invitations.title')} isFlush>
      <Loaded
        read={read}
        what={t('invitations.what')}
        skeleton={
          <div className={styles.padded}>
            <SkeletonText lines={2} />
          </div>
        }
      >
        {({ memberInvitations }) =>
          memberInvitations.length === 0 ? (
            <p className={styles.none}>{t('invitations.none')}</p>
          ) : (
            <RowList>
              {memberInvitations.map((invitation) => (
                <InvitationItem key={invitation.id} invitation={invitation} />
              ))}
            </RowList>
          )
        }
      </Loaded>
    </Card>
  );
}

function InvitationItem({ invitation }: { invitation: Invitation }) {
  const { t } = useTranslation(['members', 'shell']);
  const { id, name, email, role, isExpired, expiresAt } = invitation;
  return (
    <li className={styles.item}>
      <Avatar name={name} size={36} />
      <div className={styles.text}>
        <div className={styles.name}>
          <bdi>{name}</bdi>
          {isExpired ? (
            <Status tone="neutral" icon="clock">
              {t('invitations.expired')}
            </Status>
          ) : null}
        </div>
        <div className={styles.detail}>{email}</div>
      </div>
      <div className={styles.role}>
        <div>{t(`shell:role.${role}`)}</div>
        <div className={styles.detail}>
          {isExpired ? (
            <DateTime value={expiresAt} />
          ) : (
            <>
              {t('invitations.until')} <DateTime value={expiresAt} />
            </>
          )}
        </div>
      </div>
      <InvitationActions id={id} email={email} />
    </li>
  );
}

function InvitationActions({ id, email }: { id: string; email: string }) {
  const { t } = useTranslation('members');
  const { id: programId } = useProgram();
  const resend = useAction('memberInvitations.resend', { invalidates: ['memberInvitations.list'] });
  const revoke = useAction('memberInvitations.revoke', { invalidates: ['memberInvitations.list'] });
  const explain = useFailure();
  const act = async (change: Promise<unknown>, done: string) => {
    try {
      await change;
      showToast(done);
    } catch (error) {
      explain(error);
    }
  };
  const path = { programId, id };
  return (
    <div className={styles.actions}>
      <Button
        size="small"
        isBusy={resend.isPending}
        aria-label={`${t('invitations.resend')}: ${email}`}
        onClick={() => void act(resend.mutateAsync({ path }), t('invited', { email }))}
      >
        {t('invitations.resend')}
      </Button>
      <Button
        size="small"
        kind="quiet"
        isBusy={revoke.isPending}
        aria-label={`${t('invitations.revoke')}: ${email}`}
        onClick={() => void act(revoke.mutateAsync({ path }), t('invitations.revoked', { email }))}
      >
        {t('invitations.revoke')}
      </Button>
    </div>
  );
}
