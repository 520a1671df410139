// One order: how its commission was calculated, as a diagram and in sentences, and the actions on it.
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { FailedScreen } from '../../../states/failed-screen.tsx';
import { Loaded } from '../../../states/loaded.tsx';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { MoneyStatus } from '../../../ui/marks/status.tsx';
import { announce } from '../../../ui/overlay/announcements.ts';
import { Menu } from '../../../ui/overlay/menu.tsx';
import { showToast } from '../../../ui/overlay/toast-store.ts';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { useShortcut } from '../../shortcuts/use-shortcut.ts';
import { type ChangeKind, ChangeSheet } from './ChangeSheet.tsx';
import { HoldNotice } from './HoldNotice.tsx';
import { OrderDetails } from './OrderDetails.tsx';
import { OrderPathView } from './OrderPathView.tsx';
import { OrderTimelines } from './OrderTimelines.tsx';
import styles from './order.module.css';
import { RefundSheet } from './refund/RefundSheet.tsx';
import { type Explanation, nameOf, type Say } from './say.ts';
import { toSentences } from './sentences.ts';
import { useSay } from './use-say.ts';

export function Screen() {
  const { t } = useTranslation('conversions');
  const { conversionId: id = '' } = useParams({ strict: false }) as { conversionId?: string };
  const program = useProgram();
  const read = useRead('conversions.explanation', { path: { programId: program.id, id } });
  const say = useSay(program.currency);
  const explanation = read.data;
  const trail = (
    <>
      <Link href={program.href('conversions')}>{t('title')}</Link> / {explanation?.orderId ?? '…'}
    </>
  );
  if (read.error && !explanation)
    return <FailedScreen error={read.error} read={read} what={t('whatOrder')} title={t('orderTitle')} trail={trail} />;
  return (
    <Page
      title={explanation ? titleOf(explanation, say) : <Skeleton width="min(420px, 70vw)" height={30} />}
      trail={trail}
      beside={explanation ? <MoneyStatus state={explanation.status} /> : undefined}
      actions={explanation ? <Actions explanation={explanation} say={say} /> : undefined}
    >
      <Loaded read={read} what={t('whatOrder')} skeleton={<OrderSkeleton />}>
        {(data) => <Content explanation={data} say={say} />}
      </Loaded>
    </Page>
  );
}

function titleOf(explanation: Explanation, { t, money }: Say): string {
  const name = nameOf(explanation, explanation.affiliateId)?.split(' ')[0] ?? '';
  const { creditedCents } = explanation.totals;
  return creditedCents > 0 ? t('order.earned', { name, amount: money(creditedCents) }) : t('order.nothing', { name });
}

function Content({ explanation, say }: { explanation: Explanation; say: Say }) {
  return (
    <Stack gap={24}>
      <HoldNotice explanation={explanation} />
      <div className={styles.sentences}>
        {toSentences(explanation, say).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <OrderPathView explanation={explanation} say={say} />
      <OrderTimelines explanation={explanation} say={say} />
      <OrderDetails explanation={explanation} say={say} />
    </Stack>
  );
}

function Actions({ explanation, say }: { explanation: Explanation; say: Say }) {
  const { t } = useTranslation('conversions');
  const { can } = useProgram();
  const [isRefunding, setIsRefunding] = useState(false);
  const [changing, setChanging] = useState<ChangeKind | null>(null);
  const { amountCents, refundedCents } = explanation.totals;
  const canRefund = can('conversions.write') && (refundedCents < amountCents || explanation.refunds.length === 0);
  const canChange = canRefund && explanation.status !== 'rejected' && explanation.changes.every(({ kind }) => kind !== 'cancelled');
  const copy = async () => {
    await navigator.clipboard.writeText([titleOf(explanation, say), ...toSentences(explanation, say)].join('\n'));
    announce(t('order.copied'));
    showToast(t('order.copied'), { icon: 'copy' });
  };
  useShortcut({ keys: 'r', label: t('order.refund'), isEnabled: canRefund, run: () => setIsRefunding(true) });
  useShortcut({ keys: 'c', label: t('order.copy'), run: () => void copy() });
  return (
    <>
      <Button icon="copy" onClick={() => void copy()}>
        {t('order.copy')}
      </Button>
      {canRefund ? (
        <Button icon="ebb" onClick={() => setIsRefunding(true)}>
          {t('order.refund')}
        </Button>
      ) : null}
      {canChange ? (
        <Menu
          align="end"
          target={<IconButton icon="more" label={t('order.more')} />}
          items={[
            { label: t('changeSheet.move.action'), onSelect: () => setChanging('move') },
            { label: t('changeSheet.increase.action'), onSelect: () => setChanging('increase') },
            { label: t('changeSheet.cancel.action'), tone: 'danger', onSelect: () => setChanging('cancel') },
          ]}
        />
      ) : null}
      {changing ? <ChangeSheet kind={changing} explanation={explanation} onClose={() => setChanging(null)} /> : null}
      <RefundSheet key={String(isRefunding)} explanation={explanation} isOpen={isRefunding} onClose={() => setIsRefunding(false)} />
    </>
  );
}

function OrderSkeleton() {
  return (
    <Stack gap={24}>
      <Skeleton height={64} shape="block" />
      <Skeleton height={340} shape="block" />
      <Skeleton height={72} shape="block" />
      <Skeleton height={180} shape="block" />
    </Stack>
  );
}
