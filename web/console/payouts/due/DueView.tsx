// What can be paid now, who is skipped and why, each reason with the action that helps, and the forecast.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Button, ButtonLink } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatCount, formatMoney } from '../../../ui/figures/format.ts';
import { Link } from '../../../ui/layout/link.tsx';
import { Grid, Stack } from '../../../ui/layout/stack.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { ScheduleCard } from '../schedule/ScheduleCard.tsx';
import { type Due, groupSkipped, nameOf } from './due-groups.ts';
import { Forecast } from './Forecast.tsx';
import { PeopleCard } from './PeopleCard.tsx';
import { SkippedCard } from './SkippedCard.tsx';

export function DueView({ onDispatch }: { onDispatch: () => void }) {
  const { t } = useTranslation('payouts');
  const { id: programId } = useProgram();
  const read = useRead('payouts.due', { path: { programId }, query: { expand: 'affiliate' } }, { refreshMs: 60_000 });
  return (
    <Stack gap={20}>
      <LockNotice />
      <ApprovalNotice />
      <Loaded read={read} what={t('what')} skeleton={<DueSkeleton />}>
        {(due) => <DueCards due={due} onDispatch={onDispatch} />}
      </Loaded>
      <ScheduleCard />
      <Forecast />
    </Stack>
  );
}

function DueCards({ due, onDispatch }: { due: Due; onDispatch: () => void }) {
  const { t } = useTranslation('payouts');
  const { href } = useProgram();
  const groups = groupSkipped(due.skipped);
  if (due.due.length === 0 && groups.length === 0) {
    const action = <ButtonLink href={href('conversions')}>{t('empty.action')}</ButtonLink>;
    return <EmptyState sample="people" title={t('empty.title')} text={t('empty.text')} actions={action} />;
  }
  if (groups.length === 0) return <ReadyCard due={due} onDispatch={onDispatch} />;
  return (
    <Grid columns={2}>
      <ReadyCard due={due} onDispatch={onDispatch} />
      {groups.map((group) => (
        <SkippedCard key={group.reason} group={group} currency={due.currency} />
      ))}
    </Grid>
  );
}

function ReadyCard({ due, onDispatch }: { due: Due; onDispatch: () => void }) {
  const { t } = useTranslation('payouts');
  const { can, href } = useProgram();
  const { language } = useFigures();
  const count = due.due.length;
  const amount = formatMoney(due.totalCents, due.currency, language);
  const rows = due.due.toSorted((a, b) => b.amountCents - a.amountCents);
  const action =
    can('payouts.prepare') && count > 0 ? (
      <Button kind="secondary" size="small" icon="payouts" onClick={onDispatch}>
        {t('ready.action')}
      </Button>
    ) : undefined;
  return (
    <PeopleCard
      title={t('ready.title')}
      detail={count === 0 ? undefined : t('people', { count, formatted: formatCount(count, language), amount })}
      text={t(count === 0 ? 'ready.none' : 'ready.text')}
      action={action}
      currency={due.currency}
      rows={rows.map((row) => ({
        id: row.affiliateId,
        name: nameOf(row),
        href: href(`affiliates/${row.affiliateId}`),
        amountCents: row.amountCents,
        detail: (
          <>
            {t('ready.commissions', { count: row.commissionCount, formatted: formatCount(row.commissionCount, language) })}
            {row.exclusion === null ? null : ` · ${t('ready.leftOut', { reason: row.exclusion.note })}`}
          </>
        ),
      }))}
    />
  );
}

/** Why nothing can be sent until someone has compared the payouts with the provider. */
function LockNotice() {
  const { t } = useTranslation('payouts');
  const { id: programId, href } = useProgram();
  const { data } = useRead('payouts.reconciliation', { path: { programId } });
  if (!data?.lockReason) return null;
  return (
    <Notice icon="warning" tone="error" title={t('lock.title')}>
      {t(`lock.${data.lockReason}`)} <Link href={href('payouts/reconcile')}>{t('lock.action')}</Link>
    </Notice>
  );
}

/** Batches that a second person has to decide about. */
function ApprovalNotice() {
  const { t } = useTranslation('payouts');
  const { id: programId, href } = useProgram();
  const { language } = useFigures();
  const query = { status: ['awaiting_approval' as const], limit: 5 };
  const { data } = useRead('payoutBatches.list', { path: { programId }, query });
  if (data === undefined || data.batches.length === 0) return null;
  return (
    <Notice icon="clock" tone="held" title={t('awaiting.title', { count: data.total, formatted: formatCount(data.total, language) })}>
      <ul>
        {data.batches.map(({ id, totalCents, currency, payoutCount: count }) => (
          <li key={id}>
            <Link href={href(`payouts/batches/${id}`)}>
              {t('awaiting.batch', { count, formatted: formatCount(count, language), amount: formatMoney(totalCents, currency, language) })}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function DueSkeleton() {
  return (
    <Grid columns={2}>
      <Skeleton height={280} shape="block" />
      <Skeleton height={280} shape="block" />
    </Grid>
  );
}
