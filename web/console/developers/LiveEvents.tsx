// What just happened in the program: the newest events and clicks, a few seconds after they are recorded.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Card, RowList } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import styles from './developers.module.css';

type Event = Result<'events.list'>['events'][number];

const refreshMs = 3000;
const shown = 12;

export function LiveEvents() {
  const { t } = useTranslation('developers');
  const { id: programId, href } = useProgram();
  const read = useRead('events.list', { path: { programId }, query: { limit: shown } }, { refreshMs });
  const footer = <Link href={href('settings/webhooks')}>{t('live.webhooks')}</Link>;
  return (
    <Card title={t('live.title')} detail={t('live.detail')} isFlush footer={footer}>
      <Loaded
        read={read}
        what={t('live.what')}
        skeleton={
          <div className={styles.padded}>
            <SkeletonText lines={6} />
          </div>
        }
      >
        {({ events }) =>
          events.length === 0 ? (
            <EmptyState sample="entries" title={t('live.emptyTitle')} text={t('live.emptyText')} />
          ) : (
            <RowList>
              {events.map((event) => (
                <EventRow key={event.id} event={event} />
              ))}
            </RowList>
          )
        }
      </Loaded>
    </Card>
  );
}

function EventRow({ event: { type, objectType, objectId, createdAt } }: { event: Event }) {
  const { href } = useProgram();
  const path = objectType in screens ? screens[objectType as keyof typeof screens] : null;
  const name = <code className={styles.type}>{type}</code>;
  return (
    <li className={styles.event}>
      {path === null ? name : <Link href={href(`${path}/${objectId}`)}>{name}</Link>}
      <span className={styles.time}>
        <DateTime value={createdAt} />
      </span>
    </li>
  );
}

/** The screens of objects that have one. */
const screens = { conversion: 'conversions', affiliate: 'affiliates' } as const;
