// Orders without an affiliate to credit, each with its reason. "Credit to …" decides a claim.
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Problem } from '../../states/problem.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Count } from '../../ui/figures/count.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { PhoneRow } from '../../ui/table/phone-rows.tsx';
import type { Column, FilterDefinition } from '../../ui/table/table-types.ts';
import { useTable } from '../../url/use-table.ts';
import { CreditSheet, type UnattributedOrder } from './CreditSheet.tsx';
import { unattributedReasons, unattributedTable } from './order-tables.ts';

export function UnattributedTable() {
  const { t } = useTranslation('conversions');
  const { id: programId, can } = useProgram();
  const { view, setView, query } = useTable(unattributedTable);
  const [opened, setOpened] = useState<UnattributedOrder | null>(null);
  const read = useRead('unattributedOrders.list', { path: { programId }, query: { ...query, resolved: 'false' } });
  const canCredit = can('claims.decide');
  return (
    <>
      <DataTable
        label={t('tabs.unattributed')}
        columns={useColumns(canCredit ? setOpened : null)}
        rows={read.data?.unattributedOrders}
        total={read.data?.total}
        nextCursor={read.data?.nextCursor}
        exports={{ list: 'unattributed', query: { ...query, resolved: 'false' } }}
        rowId={({ id }) => id}
        rowName={({ orderId }) => orderId}
        rowHref={() => '?view=unattributed'}
        onOpen={setOpened}
        view={view}
        onViewChange={setView}
        filters={useFilters()}
        searchLabel={t('searchUnattributed')}
        phoneRow={(row) => <UnattributedPhoneRow row={row} />}
        empty={<EmptyState sample="orders" title={t('empty.unattributedTitle')} text={t('empty.unattributedText')} />}
        problem={
          read.error && !read.data ? (
            <Problem error={read.error} what={t('whatUnattributed')} onRetry={() => void read.refetch()} />
          ) : undefined
        }
        isRefreshing={read.isPlaceholderData}
      />
      {opened ? <CreditSheet key={opened.id} order={opened} canCredit={canCredit} onClose={() => setOpened(null)} /> : null}
    </>
  );
}

function useFilters(): FilterDefinition[] {
  const { t } = useTranslation('conversions');
  const { currency } = useProgram();
  return useMemo(
    () => [
      {
        id: 'reason',
        label: t('filter.reason'),
        kind: 'options',
        options: unattributedReasons.map((value) => ({ value, label: t(`unattributed.${value}`) })),
      },
      { id: 'amount', label: t('filter.amount'), kind: 'amount', currency },
      { id: 'occurred', label: t('filter.occurred'), kind: 'days' },
    ],
    [t, currency],
  );
}

function useColumns(onCredit: ((row: UnattributedOrder) => void) | null): Column<UnattributedOrder>[] {
  const { t } = useTranslation('conversions');
  return useMemo(() => {
    const columns: Column<UnattributedOrder>[] = [
      { id: 'order', header: t('column.order'), cell: (row) => row.orderId, width: 200 },
      {
        id: 'date',
        header: t('column.date'),
        cell: (row) => <DateTime value={row.occurredAt} />,
        width: 160,
        narrow: { rank: 3 },
        sort: 'occurredAt',
        sortFirst: 'descending',
      },
      {
        id: 'reason',
        header: t('column.reason'),
        cell: (row) => t(`unattributed.${row.reason}`),
        width: 280,
        narrow: { rank: 2, below: 'order' },
      },
      {
        id: 'amount',
        header: t('column.amount'),
        cell: (row) => <Money cents={row.amountCents} currency={row.currency} />,
        width: 130,
        align: 'end',
        sort: 'amountCents',
        sortFirst: 'descending',
      },
      {
        id: 'reports',
        header: t('column.reports'),
        cell: (row) => <Count value={row.reports} />,
        width: 110,
        align: 'end',
        narrow: { rank: 1 },
      },
    ];
    if (onCredit === null) return columns;
    const cell = (row: UnattributedOrder) => (
      <Button size="small" onClick={() => onCredit(row)}>
        {t('creditSheet.button')}
      </Button>
    );
    return [...columns, { id: 'credit', header: t('column.credit'), cell, width: 140 }];
  }, [t, onCredit]);
}

function UnattributedPhoneRow({ row }: { row: UnattributedOrder }) {
  const { t } = useTranslation('conversions');
  return (
    <PhoneRow
      title={row.orderId}
      state={<DateTime value={row.occurredAt} />}
      detail={t(`unattributed.${row.reason}`)}
      amount={<Money cents={row.amountCents} currency={row.currency} />}
    />
  );
}
