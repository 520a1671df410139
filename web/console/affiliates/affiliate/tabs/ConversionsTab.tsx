// The orders that are credited to an affiliate.
import { useTranslation } from 'react-i18next';
import { type Read, useRead } from '../../../../api/queries.ts';
import { useProgram } from '../../../../session/program.ts';
import { Problem } from '../../../../states/problem.tsx';
import { DateTime } from '../../../../ui/figures/date-time.tsx';
import { LabelledMoney, Money } from '../../../../ui/figures/money.tsx';
import { MoneyStatus } from '../../../../ui/marks/status.tsx';
import { EmptyState } from '../../../../ui/states/empty-state.tsx';
import { DataTable } from '../../../../ui/table/data-table.tsx';
import { PhoneRow } from '../../../../ui/table/phone-rows.tsx';
import type { Column } from '../../../../ui/table/table-types.ts';
import { tableState } from '../../../../url/table-state.ts';
import { useTable } from '../../../../url/use-table.ts';
import type { Details } from '../details.ts';

type Row = NonNullable<Read<'orderTable.list'>['data']>['orders'][number];

const table = tableState({ filters: {}, sorts: ['occurredAt', 'amountCents', 'commissionCents'], defaultPageSize: 25 });

export function ConversionsTab({ affiliate }: { affiliate: Details }) {
  const { t } = useTranslation('affiliate');
  const { id: programId, href } = useProgram();
  const { view, setView, query } = useTable(table);
  const read = useRead('orderTable.list', { path: { programId }, query: { ...query, affiliateId: [affiliate.id] } });
  const columns = useColumns();
  return (
    <DataTable
      label={t('tabs.conversions')}
      columns={columns}
      rows={read.data?.orders}
      total={read.data?.total}
      exports={{ list: 'conversions', query: { ...query, affiliateId: [affiliate.id] } }}
      rowId={({ id }) => id}
      rowName={({ orderId }) => orderId}
      rowHref={({ id }) => href(`conversions/${id}`)}
      view={view}
      onViewChange={setView}
      isRefreshing={read.isPlaceholderData}
      phoneRow={(row) => (
        <PhoneRow
          title={row.orderId}
          state={<MoneyStatus state={row.status} />}
          detail={<DateTime value={row.occurredAt} />}
          amount={<Money cents={row.commissionCents} currency={row.currency} />}
        />
      )}
      problem={
        read.error && !read.data ? (
          <Problem error={read.error} what={t('tabs.conversions')} onRetry={() => void read.refetch()} />
        ) : undefined
      }
      empty={<EmptyState sample="orders" title={t('conversions.none')} text={t('conversions.noneText')} />}
    />
  );
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation('affiliate');
  return [
    { id: 'orderId', header: t('conversions.order'), width: 130, cell: (row) => row.orderId },
    {
      id: 'occurredAt',
      header: t('conversions.date'),
      width: 150,
      narrow: { rank: 2 },
      sort: 'occurredAt',
      sortFirst: 'descending',
      cell: (row) => <DateTime value={row.occurredAt} />,
    },
    { id: 'status', header: t('conversions.status'), width: 130, cell: (row) => <MoneyStatus state={row.status} /> },
    { id: 'source', header: t('conversions.source'), width: 130, narrow: { rank: 1 }, cell: (row) => t(`source.${row.method}`) },
    {
      id: 'amount',
      header: t('conversions.amount'),
      width: 130,
      align: 'end',
      sort: 'amountCents',
      sortFirst: 'descending',
      cell: (row) => <Money cents={row.amountCents} currency={row.currency} />,
    },
    {
      id: 'refunded',
      header: t('conversions.refunded'),
      width: 120,
      narrow: {
        rank: 3,
        below: 'amount',
        cell: (row) => <LabelledMoney label={t('conversions.refunded')} cents={row.refundedCents} currency={row.currency} />,
      },
      align: 'end',
      cell: (row) => (row.refundedCents === 0 ? '–' : <Money cents={row.refundedCents} currency={row.currency} />),
    },
    {
      id: 'commission',
      header: t('conversions.commission'),
      width: 130,
      align: 'end',
      sort: 'commissionCents',
      sortFirst: 'descending',
      cell: (row) => <Money cents={row.commissionCents} currency={row.currency} />,
    },
  ];
}
