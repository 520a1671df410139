// The latest deliveries of a postback: the URL that was called, and what it answered. A test appears here as well.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../states/loaded.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { Text } from '../../ui/layout/stack.tsx';
import { Status, type Tone } from '../../ui/marks/status.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { useAccount } from '../session/account.ts';
import type { Postback } from './postback.ts';
import styles from './postbacks.module.css';

type Delivery = Result<'portal.postbackDeliveries'>['deliveries'][number];

export function LogSheet({ postback, onClose }: { postback: Postback | null; onClose: () => void }) {
  const { t } = useTranslation('portal-postbacks');
  return (
    <Sheet isOpen={postback !== null} onClose={onClose} title={t('log.title')} detail={t('log.detail')}>
      {postback === null ? null : <Log id={postback.id} />}
    </Sheet>
  );
}

function Log({ id }: { id: string }) {
  const { t } = useTranslation('portal-postbacks');
  const { programId } = useAccount();
  const read = useRead('portal.postbackDeliveries', { path: { programId, id }, query: { limit: 20 } }, { refreshMs: 2000 });
  return (
    <Loaded read={read} what={t('log.what')} skeleton={<SkeletonText lines={6} />}>
      {({ deliveries }) =>
        deliveries.length === 0 ? (
          <Text>{t('log.none')}</Text>
        ) : (
          <ul className={styles.log}>
            {deliveries.map((delivery) => (
              <DeliveryItem key={delivery.id} delivery={delivery} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

const marks: Record<Delivery['status'], [Tone, IconName]> = {
  pending: ['pending', 'clock'],
  delivered: ['approved', 'check'],
  failed: ['reversed', 'close'],
};

function DeliveryItem({
  delivery: { eventType, status, outcome, responseStatus, url, lastAttemptAt, createdAt, nextAttemptAt },
}: {
  delivery: Delivery;
}) {
  const { t } = useTranslation('portal-postbacks');
  const [tone, icon] = marks[status];
  const isRetried = status === 'pending' && outcome !== null && nextAttemptAt !== null;
  return (
    <li className={styles.delivery}>
      <div className={styles.head}>
        <span className={styles.eventName}>{t(`event.${eventType.replace('.', '_') as 'test'}`)}</span>
        <Status tone={tone} icon={icon}>
          {responseStatus === null ? t(`delivery.${status}`) : `${t(`delivery.${status}`)} · ${responseStatus}`}
        </Status>
      </div>
      <div className={styles.detail}>
        <DateTime value={lastAttemptAt ?? createdAt} as="exact" />
        {outcome === null || outcome === 'succeeded' ? null : ` · ${t(`outcome.${outcome}`)}`}
        {isRetried ? ` · ${t('log.retry')}` : null}
      </div>
      {url === null ? null : <div className={styles.called}>{url}</div>}
    </li>
  );
}
