// What an affiliate earned, line by line: the rule, the amount and when it becomes payable.
import { useTranslation } from 'react-i18next';
import { type Read, useRead } from '../../../../api/queries.ts';
import { useProgram } from '../../../../session/program.ts';
import { Problem } from '../../../../states/problem.tsx';
import { DateTime } from '../../../../ui/figures/date-time.tsx';
import { LabelledMoney, Money } from '../../../../ui/figures/money.tsx';
import { Rate } from '../../../../ui/figures/rate.tsx';
import { MoneyStatus } from '../../../../ui/marks/status.tsx';
import { EmptyState } from '../../../../ui/states/empty-state.tsx';
import { DataTable } from '../../../../ui/table/data-table.tsx';
import { PhoneRow } from '../../../../ui/table/phone-rows.tsx';
import type { Column } from '../../../../ui/table/table-types.ts';
import { tableState } from '../../../../url/table-state.ts';
import { useTable } from '../../../../url/use-table.ts';
import type { Details } from '../details.ts';

type Row = NonNullable<Read<'commissions.list'>['data']>['commissions'][number];

const table = tableState({ filters: {}, sorts: ['createdAt', 'maturesAt', 'amountCents'], defaultPageSize: 25 });

export function CommissionsTab({ affiliate }: { affiliate: Details }) {
  const { t } = useTranslation('affiliate');
  const { id: programId, href } = useProgram();
  const { view, setView, query } = useTable(table);
  const read = useRead('commissions.list', {
    path: { programId },
    query: { ...query, affiliateId: affiliate.id, expand: 'product,rule' },
  });
  const columns = useColumns();
  return (
    <DataTable
      label={t('tabs.commissions')}
      columns={columns}
      rows={read.data?.commissions}
      total={read.data?.total}
      nextCursor={read.data?.nextCursor}
      exports={{ list: 'commissions', query: { ...query, affiliateId: affiliate.id, expand: 'product,rule' } }}
      rowId={({ id }) => id}
      rowName={(row) => row.orderId ?? t(`kind.${row.kind}`)}
      rowHref={({ conversionId }) => (conversionId === null ? null : href(`conversions/${conversionId}`))}
      view={view}
      onViewChange={setView}
      isRefreshing={read.isPlaceholderData}
      phoneRow={(row) => (
        <PhoneRow
          title={row.orderId ?? t(`kind.${row.kind}`)}
          state={<State row={row} />}
          detail={<DateTime value={row.createdAt} />}
          amount={<Money cents={row.amountCents - row.reversedCents} currency={row.currency} />}
        />
      )}
      problem={
        read.error && !read.data ? (
          <Problem error={read.error} what={t('tabs.commissions')} onRetry={() => void read.refetch()} />
        ) : undefined
      }
      empty={<EmptyState sample="orders" title={t('commissions.none')} text={t('commissions.noneText')} />}
    />
  );
}

function State({ row }: { row: Row }) {
  const { t } = useTranslation('affiliate');
  if (row.status !== 'pending') return <MoneyStatus state={row.status} />;
  return (
    <MoneyStatus
      state="pending"
      detail={
        <>
          {t('commissions.until')} <DateTime value={row.maturesAt} as="date" />
        </>
      }
    />
  );
}

function RateOf({ row }: { row: Row }) {
  if (row.type === 'percentage' && row.rate !== null) return <Rate value={{ type: 'percentage', rate: row.rate }} />;
  if (row.flatAmountCents === null) return '–';
  const per = row.kind === 'lead' ? 'lead' : 'order';
  return <Rate value={{ type: 'flat', amountCents: row.flatAmountCents, currency: row.currency, per }} />;
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation('affiliate');
  return [
    { id: 'order', header: t('commissions.order'), width: 190, cell: (row) => row.orderId ?? t(`kind.${row.kind}`) },
    {
      id: 'createdAt',
      header: t('commissions.date'),
      width: 140,
      narrow: { rank: 3 },
      sort: 'createdAt',
      sortFirst: 'descending',
      cell: (row) => <DateTime value={row.createdAt} />,
    },
    { id: 'state', header: t('commissions.state'), width: 190, sort: 'maturesAt', cell: (row) => <State row={row} /> },
    {
      id: 'product',
      header: t('commissions.product'),
      width: 190,
      narrow: { rank: 1 },
      cell: (row) => row.product?.name ?? (row.kind === 'order' ? t('commissions.wholeOrder') : '–'),
    },
    { id: 'rate', header: t('commissions.rate'), width: 110, narrow: { rank: 2 }, align: 'end', cell: (row) => <RateOf row={row} /> },
    {
      id: 'amount',
      header: t('commissions.amount'),
      width: 120,
      align: 'end',
      sort: 'amountCents',
      sortFirst: 'descending',
      cell: (row) => <Money cents={row.amountCents} currency={row.currency} />,
    },
    {
      id: 'reversed',
      header: t('commissions.reversed'),
      width: 120,
      narrow: {
        rank: 4,
        below: 'amount',
        cell: (row) => <LabelledMoney label={t('commissions.reversed')} cents={row.reversedCents} currency={row.currency} />,
      },
      align: 'end',
      cell: (row) => (row.reversedCents === 0 ? '–' : <Money cents={row.reversedCents} currency={row.currency} />),
    },
  ];
}
