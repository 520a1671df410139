// Members who asked for another role: granted or declined here.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Card, RowList } from '../../../ui/layout/card.tsx';
import { Avatar } from '../../../ui/marks/avatar.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import styles from './members.module.css';
import { useFailure } from './use-failure.ts';

type AccessRequest = Result<'accessRequests.list'>['accessRequests'][number];

/** Nothing while no request is open. */
export function AccessRequests() {
  const { t } = useTranslation('members');
  const { id: programId } = useProgram();
  const { data } = useRead('accessRequests.list', { path: { programId } });
  if (data === undefined || data.total === 0) return null;
  return (
    <Card title={t('access.title')} isFlush>
      <RowList>
        {data.accessRequests.map((request) => (
          <RequestItem key={request.id} request={request} />
        ))}
      </RowList>
    </Card>
  );
}

function RequestItem({ request }: { request: AccessRequest }) {
  const { t } = useTranslation(['members', 'shell']);
  const { id: programId } = useProgram();
  const { id, name, email, role, createdAt } = request;
  const decide = useAction('accessRequests.decide', { invalidates: ['accessRequests.list', 'members.list', 'overview.get'] });
  const explain = useFailure();
  const act = async (decision: 'granted' | 'declined') => {
    try {
      await decide.mutateAsync({ path: { programId, id }, body: { decision } });
      showToast(t(`access.${decision}`, { name, role: t(`shell:role.${role}`) }));
    } catch (error) {
      explain(error);
    }
  };
  return (
    <li className={styles.item}>
      <Avatar name={name} size={36} />
      <div className={styles.text}>
        <div className={styles.name}>
          <bdi>{name}</bdi>
        </div>
        <div className={styles.detail}>{email}</div>
      </div>
      <div className={styles.role}>
        <div>{t('access.asksFor', { role: t(`shell:role.${role}`) })}</div>
        <div className={styles.detail}>
          <DateTime value={createdAt} />
        </div>
      </div>
      <div className={styles.actions}>
        <Button size="small" isBusy={decide.isPending} aria-label={`${t('access.grant')}: ${name}`} onClick={() => void act('granted')}>
          {t('access.grant')}
        </Button>
        <Button
          size="small"
          kind="quiet"
          isBusy={decide.isPending}
          aria-label={`${t('access.decline')}: ${name}`}
          onClick={() => void act('declined')}
        >
          {t('access.decline')}
        </Button>
      </div>
    </li>
  );
}
