// One batch: who prepared and approved it, its progress, what needs a decision, and every payout.
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { FailedScreen } from '../../../states/failed-screen.tsx';
import { Loaded } from '../../../states/loaded.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatCount, formatMoney } from '../../../ui/figures/format.ts';
import { Link } from '../../../ui/layout/link.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Grid, Stack } from '../../../ui/layout/stack.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { ApprovalCard } from './ApprovalCard.tsx';
import { BatchActions } from './BatchActions.tsx';
import { BatchFacts } from './BatchFacts.tsx';
import { BatchStatus } from './BatchStatus.tsx';
import { type Batch, isMoving } from './batch.ts';
import { PayoutTable } from './PayoutTable.tsx';
import { Progress } from './Progress.tsx';
import { useProgressAnnouncements } from './use-progress-announcements.ts';

const movingMs = 2000;
const calmMs = 30_000;

export function Screen() {
  const { t } = useTranslation('payout-batch');
  const { batchId: id = '' } = useParams({ strict: false }) as { batchId?: string };
  const { id: programId, href } = useProgram();
  const path = { programId, id };
  const cached = useRead('payoutBatches.get', { path, query: { expand: 'provider' } });
  const refreshMs = cached.data && isMoving(cached.data) ? movingMs : calmMs;
  const read = useRead('payoutBatches.get', { path, query: { expand: 'provider' } }, { refreshMs, staleMs: 0 });
  const trail = <Link href={href('payouts?view=batches')}>{t('trail')}</Link>;
  useProgressAnnouncements(read.data);
  if (read.error && read.data === undefined)
    return <FailedScreen error={read.error} read={read} what={t('what')} title={t('title')} trail={trail} />;
  return (
    <Page
      title={read.data ? <Headline batch={read.data} /> : <Skeleton width="min(420px, 70vw)" height={30} />}
      trail={trail}
      beside={read.data ? <BatchStatus status={read.data.status} /> : undefined}
      actions={read.data ? <BatchActions batch={read.data} /> : undefined}
      width="full"
    >
      <Loaded read={read} what={t('what')} skeleton={<BatchSkeleton />}>
        {(batch) => (
          <Stack gap={20}>
            {batch.status === 'awaiting_approval' ? <ApprovalCard batch={batch} /> : null}
            <Grid columns="main-aside">
              <Progress batch={batch} />
              <BatchFacts batch={batch} />
            </Grid>
            <PayoutTable batch={batch} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Headline({ batch: { status, payoutCount: count, totalCents, currency } }: { batch: Batch }) {
  const { t } = useTranslation('payout-batch');
  const { language } = useFigures();
  const words = { count, formatted: formatCount(count, language), amount: formatMoney(totalCents, currency, language) };
  return <>{t(status === 'completed' ? 'headline.completed' : 'headline.open', words)}</>;
}

function BatchSkeleton() {
  return (
    <Stack gap={20}>
      <Skeleton height={220} shape="block" />
      <Skeleton height={420} shape="block" />
    </Stack>
  );
}
