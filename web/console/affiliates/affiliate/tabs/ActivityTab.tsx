// The history of an affiliate: who changed what, and why.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../../api/queries.ts';
import { useProgram } from '../../../../session/program.ts';
import { Loaded } from '../../../../states/loaded.tsx';
import { DateTime } from '../../../../ui/figures/date-time.tsx';
import { Card, RowList } from '../../../../ui/layout/card.tsx';
import { EmptyState } from '../../../../ui/states/empty-state.tsx';
import { SkeletonText } from '../../../../ui/states/skeleton.tsx';
import styles from '../affiliate.module.css';
import type { Details } from '../details.ts';
import { type Activity, useActivityText } from './use-activity-text.ts';

export function ActivityTab({ affiliate }: { affiliate: Details }) {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const read = useRead('affiliateTable.activity', { path: { programId, id: affiliate.id }, query: { limit: 100 } });
  return (
    <Card title={t('tabs.activity')} isFlush>
      <Loaded read={read} what={t('tabs.activity')} skeleton={<SkeletonText lines={6} />}>
        {({ activity }) =>
          activity.length === 0 ? (
            <EmptyState sample="entries" title={t('activity.none')} text={t('activity.noneText')} />
          ) : (
            <RowList>
              {activity.map((event) => (
                <Event key={event.id} event={event} currency={affiliate.currency} />
              ))}
            </RowList>
          )
        }
      </Loaded>
    </Card>
  );
}

function Event({ event, currency }: { event: Activity; currency: string }) {
  const text = useActivityText(currency);
  const lines = text.changes(event);
  return (
    <li className={styles.event}>
      <span>
        <b>{text.actor(event)}</b> {text.action(event)}
      </span>
      <DateTime value={event.createdAt} />
      {lines.length === 0 && event.note === null ? null : (
        <span className={styles.eventChanges}>
          {lines.map((line) => (
            <span key={line}>{line}</span>
          ))}
          {event.note === null ? null : <span>“{event.note}”</span>}
        </span>
      )}
    </li>
  );
}
