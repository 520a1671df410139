// The latest ten items, live. The card has room for all of them from the start, so nothing moves around it; it is
// still while the pointer is on it, and can be paused.
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { IconButton } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Icon, type IconName } from '../../../ui/icons.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { useLinkTo } from '../links.ts';
import type { ActivityItem } from '../overview-types.ts';
import styles from './activity.module.css';
import { shownItems, useActivity } from './use-activity.ts';

export function LatestActivity() {
  const { t } = useTranslation('overview');
  const { id } = useProgram();
  const [isStopped, setIsStopped] = useState(false);
  const [isTouched, setIsTouched] = useState(false);
  const read = useActivity(id, { isPaused: isStopped || isTouched });
  // What was there when the page opened is not new.
  const opened = useRef<string | null>(null);
  opened.current ??= read.data?.cursor ?? null;
  const isNew = ({ at }: ActivityItem) => opened.current !== null && at > opened.current;
  const actions = (
    <>
      <span className={styles.live} data-stopped={isStopped || undefined}>
        {t(isStopped ? 'activity.paused' : 'activity.live')}
      </span>
      <IconButton
        icon={isStopped ? 'refresh' : 'pause'}
        size="small"
        label={t(isStopped ? 'activity.resume' : 'activity.pause')}
        onClick={() => setIsStopped(!isStopped)}
      />
    </>
  );
  return (
    <Card title={t('activity.title')} actions={actions} isFlush>
      <div className={styles.room} onPointerEnter={() => setIsTouched(true)} onPointerLeave={() => setIsTouched(false)}>
        <Loaded read={read} what={t('activity.what')} skeleton={<Waiting />}>
          {({ items, currency }) =>
            items.length === 0 ? (
              <p className={styles.none}>{t('activity.none')}</p>
            ) : (
              <ol className={styles.list}>
                {items.map((item) => (
                  <Item key={`${item.kind} ${item.id}`} item={item} currency={currency} isNew={isNew(item)} />
                ))}
              </ol>
            )
          }
        </Loaded>
      </div>
    </Card>
  );
}

function Waiting() {
  return (
    <div className={styles.list} aria-hidden>
      {Array.from({ length: shownItems }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity.
        <div key={index} className={styles.item}>
          <Skeleton shape="circle" width={28} height={28} />
          <Skeleton width={`${70 - ((index * 13) % 30)}%`} />
          <Skeleton width={64} />
        </div>
      ))}
    </div>
  );
}

function Item({ item, currency, isNew }: { item: ActivityItem; currency: string; isNew: boolean }) {
  const { affiliate, amountCents, at, kind } = item;
  const linkTo = useLinkTo();
  const title = useTitle(item);
  const href = linkOf(item, linkTo);
  return (
    <li className={styles.item} data-kind={kind} data-new={isNew || undefined}>
      <span className={styles.mark} aria-hidden>
        <Icon name={iconOf(item)} size={16} />
      </span>
      <span className={styles.text}>
        <span className={styles.title}>{href === undefined ? title : <Link href={href}>{title}</Link>}</span>
        <span className={styles.detail}>
          {affiliate === null ? null : <bdi className={styles.name}>{affiliate.name}</bdi>}
          <Moment at={at} />
        </span>
      </span>
      {amountCents === null ? null : (
        <span className={styles.amount}>
          <Money cents={kind === 'refund' ? -amountCents : amountCents} currency={currency} />
        </span>
      )}
    </li>
  );
}

/** The clock of the page moves once a minute, so what happened since then is "just now". */
function Moment({ at }: { at: string }) {
  const { t } = useTranslation('overview');
  const { now } = useFigures();
  return Date.parse(at) > now - 60_000 ? <span>{t('activity.now')}</span> : <DateTime value={at} />;
}

const icons: Record<ActivityItem['kind'], IconName> = {
  order: 'conversions',
  click: 'link',
  refund: 'ebb',
  payout_paid: 'payouts',
  change: 'edit',
};

function iconOf({ kind, action }: ActivityItem): IconName {
  if (action === null) return icons[kind];
  if (action.startsWith('affiliate.')) return 'affiliates';
  if (action.startsWith('landing_page.')) return 'page';
  if (action.startsWith('payouts.')) return 'payouts';
  return action.startsWith('fraud.') ? 'fraud' : icons.change;
}

const statuses = ['pending', 'active', 'suspended', 'rejected', 'archived', 'legitimate', 'fraud'] as const;

function useTitle({ kind, orderId, action, status }: ActivityItem): string {
  const { t } = useTranslation('overview');
  if (kind === 'order' || kind === 'refund') return t(`activity.${kind}`, { orderId });
  if (kind !== 'change' || action === null) return t(kind === 'payout_paid' ? 'activity.payout_paid' : 'activity.click');
  const known = statuses.find((each) => each === status);
  if (known && (action === 'affiliate.updated' || action === 'fraud.resolved')) return t(`activity.status.${known}`);
  return t(`activity.change.${action.replace('.', '_') as Underscored<typeof action>}`);
}

type Underscored<Action> = Action extends `${infer Noun}.${infer Verb}` ? `${Noun}_${Verb}` : never;

function linkOf({ conversionId, affiliate, kind }: ActivityItem, linkTo: ReturnType<typeof useLinkTo>): string | undefined {
  if (conversionId !== null) return linkTo(`conversions/${conversionId}`);
  return affiliate === null || kind === 'click' ? undefined : linkTo(`affiliates/${affiliate.id}`);
}
