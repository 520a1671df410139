// How an affiliate is paid, never the account itself, what was paid, and the statements of its months.
import { useTranslation } from 'react-i18next';
import { type Read, useRead } from '../../../../api/queries.ts';
import { useProgram } from '../../../../session/program.ts';
import { Loaded } from '../../../../states/loaded.tsx';
import { Problem } from '../../../../states/problem.tsx';
import { DateTime } from '../../../../ui/figures/date-time.tsx';
import { Money } from '../../../../ui/figures/money.tsx';
import { Card, Facts } from '../../../../ui/layout/card.tsx';
import { Stack } from '../../../../ui/layout/stack.tsx';
import { PayoutStatus } from '../../../../ui/marks/status.tsx';
import { EmptyState } from '../../../../ui/states/empty-state.tsx';
import { Skeleton } from '../../../../ui/states/skeleton.tsx';
import { DataTable } from '../../../../ui/table/data-table.tsx';
import { PhoneRow } from '../../../../ui/table/phone-rows.tsx';
import type { Column } from '../../../../ui/table/table-types.ts';
import { tableState } from '../../../../url/table-state.ts';
import { useTable } from '../../../../url/use-table.ts';
import { AgreementCard } from '../../../invoices/AgreementCard.tsx';
import type { Details, Summary } from '../details.ts';
import { methodKey } from '../method.ts';
import { Statements } from './Statements.tsx';
import { TaxFormCard } from './TaxFormCard.tsx';

type Row = NonNullable<Read<'payouts.list'>['data']>['payouts'][number];

const table = tableState({ filters: {}, sorts: ['createdAt', 'amountCents'], defaultPageSize: 25 });

export function PayoutsTab({ affiliate }: { affiliate: Details }) {
  const { t } = useTranslation('affiliate');
  const { id: programId, can } = useProgram();
  const { view, setView, query } = useTable(table);
  const summary = useRead('affiliateTable.summary', { path: { programId, id: affiliate.id } });
  const read = useRead('payouts.list', { path: { programId }, query: { ...query, affiliateId: affiliate.id } });
  const columns = useColumns();
  return (
    <Stack>
      <Card title={t('payouts.howPaid')}>
        <Loaded read={summary} what={t('payouts.howPaid')} skeleton={<Skeleton height={68} shape="block" />}>
          {(found) => <HowPaid summary={found} />}
        </Loaded>
      </Card>
      {can('tax.read') ? <TaxFormCard affiliateId={affiliate.id} /> : null}
      {can('tax.read') ? <AgreementCard affiliateId={affiliate.id} /> : null}
      <DataTable
        label={t('tabs.payouts')}
        columns={columns}
        rows={read.data?.payouts}
        total={read.data?.total}
        nextCursor={read.data?.nextCursor}
        exports={{ list: 'payouts', query: { ...query, affiliateId: affiliate.id } }}
        rowId={({ id }) => id}
        rowName={({ reference, id }) => reference ?? id}
        rowHref={() => null}
        view={view}
        onViewChange={setView}
        isRefreshing={read.isPlaceholderData}
        phoneRow={(row) => (
          <PhoneRow
            title={<Money cents={row.amountCents} currency={row.currency} />}
            state={<PayoutStatus state={row.status} />}
            detail={<DateTime value={row.createdAt} />}
            amount={row.reference}
          />
        )}
        problem={
          read.error && !read.data ? <Problem error={read.error} what={t('tabs.payouts')} onRetry={() => void read.refetch()} /> : undefined
        }
        empty={<EmptyState sample="orders" title={t('payouts.none')} text={t('payouts.noneText')} />}
      />
      <Statements affiliateId={affiliate.id} />
    </Stack>
  );
}

function HowPaid({ summary: { payoutDetails, taxForm } }: { summary: Summary }) {
  const { t } = useTranslation('affiliate');
  const { can } = useProgram();
  const ways = [
    { label: t('payouts.method'), value: payoutDetails ? t(`method.${methodKey(payoutDetails.method)}`) : t('payouts.noMethod') },
    { label: t('payouts.usableFrom'), value: payoutDetails ? <DateTime value={payoutDetails.usableFrom} /> : '–' },
  ];
  const tax = [
    { label: t('payouts.taxForm'), value: taxForm ? t(`taxForm.kind.${taxForm.kind}`) : t('payouts.noTaxForm') },
    { label: t('payouts.signed'), value: taxForm ? <DateTime value={taxForm.signedAt} as="date" /> : '–' },
  ];
  // The card of the tax form shows more to members who may read it.
  return <Facts columns={2} rows={can('tax.read') ? ways : [...ways, ...tax]} />;
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation('affiliate');
  return [
    {
      id: 'createdAt',
      header: t('payouts.date'),
      width: 170,
      sort: 'createdAt',
      sortFirst: 'descending',
      cell: (row) => <DateTime value={row.createdAt} />,
    },
    { id: 'status', header: t('payouts.status'), width: 170, cell: (row) => <PayoutStatus state={row.status} /> },
    { id: 'reference', header: t('payouts.reference'), width: 240, narrow: { rank: 1 }, cell: (row) => row.reference ?? '–' },
    {
      id: 'reason',
      header: t('payouts.reason'),
      width: 260,
      narrow: { rank: 2, below: 'status', width: 200, cell: (row) => row.failureReason ?? row.note },
      cell: (row) => row.failureReason ?? row.note ?? '–',
    },
    {
      id: 'amount',
      header: t('payouts.amount'),
      width: 130,
      align: 'end',
      sort: 'amountCents',
      sortFirst: 'descending',
      cell: (row) => <Money cents={row.amountCents} currency={row.currency} />,
    },
  ];
}
