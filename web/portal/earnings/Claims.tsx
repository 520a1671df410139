import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Text } from '../../ui/layout/stack.tsx';
import { Status } from '../../ui/marks/status.tsx';
import { useAccount } from '../session/account.ts';
import styles from './earnings.module.css';

const marks = { open: ['pending', 'clock'], accepted: ['approved', 'check'], rejected: ['reversed', 'close'] } as const;

/** The missing sales that were reported, with the decision on each. Nothing until there is one. */
export function Claims() {
  const { t } = useTranslation('portal-earnings');
  const { programId } = useAccount();
  const { data } = useRead('portal.claims', { path: { programId }, query: { limit: 20 } });
  if (!data || data.claims.length === 0) return null;
  return (
    <Card title={t('claim.list')} isFlush>
      <ul>
        {data.claims.map(({ id, orderId, status, decisionNote, createdAt }) => {
          const [tone, icon] = marks[status];
          return (
            <li key={id} className={styles.claim}>
              <div className={styles.claimLine}>
                <span>{orderId}</span>
                <Status tone={tone} icon={icon}>
                  {t(`claim.status.${status}`)}
                </Status>
              </div>
              <Text size="small" tone="ink-3">
                {t('claim.reported')} <DateTime value={createdAt} as="date" />
              </Text>
              {decisionNote === null ? null : <Text>{decisionNote}</Text>}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
