// The review inbox: the list on the left, the open item on the right. J and K move, A and R decide, and the next item opens.
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Button, ButtonLink, IconButton } from '../../ui/controls/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Skeleton, SkeletonText } from '../../ui/states/skeleton.tsx';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { ApplicationDetails } from './details/ApplicationDetails.tsx';
import { ClaimDetails } from './details/ClaimDetails.tsx';
import { ContentDetails } from './details/ContentDetails.tsx';
import { headingId } from './details/DetailsFrame.tsx';
import { FraudDetails } from './details/FraudDetails.tsx';
import { ItemList } from './ItemList.tsx';
import { KindFilter } from './KindFilter.tsx';
import type { Item } from './kind-of.ts';
import { PageDetails } from './page/PageDetails.tsx';
import styles from './review.module.css';
import { type Queue, useQueue } from './use-queue.ts';

export function Screen() {
  const { t } = useTranslation('review');
  const queue = useQueue();
  const isShown = queue.read.data !== undefined && queue.items.length > 0;
  if (isShown) return <Inbox queue={queue} />;
  return (
    <Page title={t('title')} face="display" actions={queue.read.data ? <Filter queue={queue} /> : undefined} width="full">
      <Loaded read={queue.read} what={t('what')} skeleton={<InboxSkeleton />}>
        {() => <Caught queue={queue} />}
      </Loaded>
    </Page>
  );
}

function Caught({ queue: { kind, setKind } }: { queue: Queue }) {
  const { t } = useTranslation('review');
  if (kind === null) return <NothingToReview />;
  return (
    <EmptyState
      sample="decision"
      title={t('empty.title')}
      text={t('empty.filtered')}
      actions={<Button onClick={() => setKind(null)}>{t('empty.showAll')}</Button>}
    />
  );
}

function Inbox({ queue }: { queue: Queue }) {
  const { t } = useTranslation('review');
  const { items, item, index, open, total, decisions } = queue;
  useShortcut({ keys: 'j', label: t('next'), run: () => open(items[Math.min(index + 1, items.length - 1)]) });
  useShortcut({ keys: 'k', label: t('previous'), run: () => open(items[Math.max(index - 1, 0)]) });
  useEffect(() => {
    if (decisions > 0) document.getElementById(headingId)?.focus();
  }, [decisions]);
  return (
    <div className={styles.inbox}>
      <section className={styles.side} aria-label={t('list')}>
        <header className={styles.sideHeader}>
          <h1 className={styles.title}>{t('title')}</h1>
          <span className={styles.position}>{t('position', { position: index + 1, total })}</span>
          <span className={styles.moves}>
            <IconButton icon="chevronUp" label={t('previous')} disabled={index === 0} onClick={() => open(items[index - 1])} />
            <IconButton icon="chevronDown" label={t('next')} disabled={index >= items.length - 1} onClick={() => open(items[index + 1])} />
          </span>
        </header>
        <Filter queue={queue} />
        <ItemList items={items} openId={item?.id} onOpen={open} loadMore={queue.loadMore} />
      </section>
      {item ? <ItemDetails key={`${item.kind}:${item.id}:${item.since}`} item={item} queue={queue} /> : null}
    </div>
  );
}

function Filter({ queue: { kind, setKind } }: { queue: Queue }) {
  const { id: programId } = useProgram();
  const counts = useRead('review.counts', { path: { programId } });
  return <KindFilter kind={kind} counts={counts.data} onChange={setKind} />;
}

function ItemDetails({ item, queue: { finish } }: { item: Item; queue: Queue }) {
  if (item.kind === 'page') return <PageDetails item={item} finish={finish} />;
  if (item.kind === 'application') return <ApplicationDetails item={item} finish={finish} />;
  if (item.kind === 'fraud_alert') return <FraudDetails item={item} finish={finish} />;
  if (item.kind === 'bounty_submission') return <ContentDetails item={item} finish={finish} />;
  return <ClaimDetails item={item} finish={finish} />;
}

function InboxSkeleton() {
  return (
    <div className={styles.skeleton}>
      <SkeletonText lines={9} />
      <Skeleton height={420} />
    </div>
  );
}

function NothingToReview() {
  const { t } = useTranslation('review');
  const { href, can } = useProgram();
  const action = can('settings.write') ? <ButtonLink href={href('settings/join-page')}>{t('empty.action')}</ButtonLink> : undefined;
  return <EmptyState sample="decision" title={t('empty.title')} text={t('empty.text')} actions={action} />;
}
