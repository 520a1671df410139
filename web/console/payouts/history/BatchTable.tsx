// Every batch, with its state and how much of it was paid.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Problem } from '../../../states/problem.tsx';
import { Count } from '../../../ui/figures/count.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { LabelledMoney, Money } from '../../../ui/figures/money.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { PhoneRow } from '../../../ui/table/phone-rows.tsx';
import type { Column, FilterDefinition } from '../../../ui/table/table-types.ts';
import { days, numbers, oneOf, someOf } from '../../../url/table-filters.ts';
import { tableState } from '../../../url/table-state.ts';
import { useTable } from '../../../url/use-table.ts';
import { BatchStatus, batchStatuses } from '../batch/BatchStatus.tsx';

type Row = Result<'payoutBatches.list'>['batches'][number];

const table = tableState({
  filters: {
    status: someOf('status', batchStatuses),
    provider: oneOf('providerId'),
    created: days('createdFrom', 'createdTo'),
    total: numbers('amountMinCents', 'amountMaxCents'),
  },
  sorts: ['createdAt', 'totalCents'],
  defaultSort: '-createdAt',
});

export function BatchTable() {
  const { t } = useTranslation('payouts');
  const { id: programId, href } = useProgram();
  const { view, setView, query } = useTable(table);
  const read = useRead('payoutBatches.list', { path: { programId }, query: { ...query, expand: 'provider' } }, { refreshMs: 15_000 });
  return (
    <DataTable
      label={t('tabs.batches')}
      columns={useColumns()}
      rows={read.data?.batches}
      total={read.data?.total}
      nextCursor={read.data?.nextCursor}
      exports={{ list: 'batches', query: { ...query, expand: 'provider' } }}
      rowId={({ id }) => id}
      rowName={({ id, note }) => note ?? id}
      rowHref={({ id }) => href(`payouts/batches/${id}`)}
      view={view}
      onViewChange={setView}
      filters={useFilters()}
      phoneRow={(row) => <BatchPhoneRow row={row} />}
      empty={<EmptyState sample="orders" title={t('noBatches.title')} text={t('noBatches.text')} />}
      problem={
        read.error && !read.data ? <Problem error={read.error} what={t('batches.what')} onRetry={() => void read.refetch()} /> : undefined
      }
      isRefreshing={read.isPlaceholderData}
    />
  );
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation('payouts');
  return useMemo(
    () => [
      {
        id: 'created',
        header: t('batches.created'),
        width: 160,
        sort: 'createdAt',
        sortFirst: 'descending',
        isNameless: true,
        cell: (row) => <DateTime value={row.createdAt} as="exact" />,
      },
      { id: 'status', header: t('batches.status'), width: 170, cell: (row) => <BatchStatus status={row.status} /> },
      {
        id: 'provider',
        header: t('batches.provider'),
        width: 160,
        narrow: { rank: 2 },
        cell: (row) => row.provider?.name ?? t('batches.manual'),
      },
      { id: 'note', header: t('batches.note'), width: 220, narrow: { rank: 1 }, cell: (row) => row.note ?? '–' },
      {
        id: 'payouts',
        header: t('batches.payouts'),
        width: 100,
        narrow: { rank: 3 },
        align: 'end',
        cell: (row) => <Count value={row.payoutCount} />,
      },
      {
        id: 'paid',
        header: t('batches.paid'),
        width: 130,
        narrow: {
          rank: 4,
          below: 'total',
          cell: (row) => <LabelledMoney label={t('batches.paid')} cents={row.paidCents} currency={row.currency} />,
        },
        align: 'end',
        cell: (row) => <Money cents={row.paidCents} currency={row.currency} />,
      },
      {
        id: 'total',
        header: t('batches.total'),
        width: 130,
        align: 'end',
        sort: 'totalCents',
        sortFirst: 'descending',
        cell: (row) => <Money cents={row.totalCents} currency={row.currency} />,
      },
    ],
    [t],
  );
}

function useFilters(): FilterDefinition[] {
  const { t } = useTranslation('payouts');
  const { t: tBatch } = useTranslation('payout-batch');
  const { id: programId, currency } = useProgram();
  const { data } = useRead('providers.list', { path: { programId }, query: { kind: ['payout'], limit: 100 } }, { staleMs: 60_000 });
  return useMemo(
    () => [
      {
        id: 'status',
        label: t('batches.status'),
        kind: 'options',
        options: batchStatuses.map((value) => ({ value, label: tBatch(`status.${value}`) })),
      },
      {
        id: 'provider',
        label: t('batches.provider'),
        kind: 'options',
        isSingle: true,
        options: (data?.providers ?? []).map(({ id, name }) => ({ value: id, label: name })),
      },
      { id: 'created', label: t('batches.created'), kind: 'days' },
      { id: 'total', label: t('batches.total'), kind: 'amount', currency },
    ],
    [t, tBatch, data, currency],
  );
}

function BatchPhoneRow({ row }: { row: Row }) {
  return (
    <PhoneRow
      title={<DateTime value={row.createdAt} as="exact" />}
      state={<BatchStatus status={row.status} />}
      detail={row.note ?? row.provider?.name}
      amount={<Money cents={row.totalCents} currency={row.currency} />}
    />
  );
}
