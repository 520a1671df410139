// The table of orders, with its filters. Each row opens the order.
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Problem } from '../../states/problem.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { LabelledMoney, Money } from '../../ui/figures/money.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Identity } from '../../ui/marks/avatar.tsx';
import { MoneyStatus } from '../../ui/marks/status.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { NarrowingTags } from '../../ui/table/filters/narrowing-tags.tsx';
import { PhoneRow } from '../../ui/table/phone-rows.tsx';
import { type Column, defaultLayout, type FilterDefinition } from '../../ui/table/table-types.ts';
import { useTable } from '../../url/use-table.ts';
import styles from './conversions.module.css';
import { OrderAmount } from './OrderAmount.tsx';
import { type Listing, narrow, narrowings, orderTable, sources, statuses, type Tab } from './order-tables.ts';

type Row = Result<'orderTable.list'>['orders'][number];

type Props = { listing: Listing; onWiden: (patch: Record<string, null>) => void; addOrder: (() => void) | undefined };

export function OrderTable({ listing, onWiden, addOrder }: Props) {
  const { t } = useTranslation('conversions');
  const { id: programId, href } = useProgram();
  const { tab } = listing;
  const { view, setView, query } = useTable(orderTable);
  const [layout, setLayout] = useState(defaultLayout);
  const read = useRead('orderTable.list', { path: { programId }, query: narrow(query, listing) });
  const columns = useColumns();
  return (
    <DataTable
      label={t('title')}
      columns={columns}
      rows={read.data?.orders}
      total={read.data?.total}
      exports={{ list: 'conversions', query: narrow(query, listing) }}
      rowId={({ id }) => id}
      rowName={({ orderId }) => orderId}
      rowHref={({ id }) => href(`conversions/${id}`)}
      view={view}
      onViewChange={setView}
      filters={useFilters(tab)}
      searchLabel={t('search')}
      layout={layout}
      onLayoutChange={setLayout}
      phoneRow={(row) => <OrderPhoneRow row={row} />}
      toolbarActions={<NarrowingTags names={narrowings} only={listing.only} label={(name) => t(`filter.only.${name}`)} onWiden={onWiden} />}
      empty={<NoOrders tab={tab} addOrder={addOrder} />}
      problem={read.error && !read.data ? <Problem error={read.error} what={t('what')} onRetry={() => void read.refetch()} /> : undefined}
      isRefreshing={read.isPlaceholderData}
    />
  );
}

function NoOrders({ tab, addOrder }: { tab: Tab; addOrder: (() => void) | undefined }) {
  const { t } = useTranslation('conversions');
  if (tab === 'held') return <EmptyState sample="orders" title={t('empty.heldTitle')} text={t('empty.heldText')} />;
  if (tab === 'none') return <EmptyState sample="orders" title={t('empty.noneTitle')} text={t('empty.noneText')} />;
  const actions = addOrder ? (
    <Button kind="primary" icon="plus" onClick={addOrder}>
      {t('add')}
    </Button>
  ) : undefined;
  return <EmptyState sample="orders" title={t('empty.title')} text={t('empty.text')} actions={actions} />;
}

function useFilters(tab: Tab): FilterDefinition[] {
  const { t } = useTranslation('conversions');
  const { currency } = useProgram();
  const { t: tUi } = useTranslation('ui');
  return useMemo(() => {
    const yesNo = [
      { value: 'true', label: t('filter.yes') },
      { value: 'false', label: t('filter.no') },
    ];
    const status: FilterDefinition = {
      id: 'status',
      label: t('filter.status'),
      kind: 'options',
      options: statuses.map((value) => ({ value, label: tUi(`money.${value}`) })),
    };
    const others: FilterDefinition[] = [
      {
        id: 'method',
        label: t('filter.source'),
        kind: 'options',
        options: sources.map((value) => ({ value, label: t(`source.${value}`) })),
      },
      { id: 'amount', label: t('filter.amount'), kind: 'amount', currency },
      { id: 'occurred', label: t('filter.occurred'), kind: 'days' },
      { id: 'conflict', label: t('filter.conflict'), kind: 'options', options: yesNo, isSingle: true },
      { id: 'refunded', label: t('filter.refunded'), kind: 'options', options: yesNo, isSingle: true },
    ];
    return tab === 'held' ? others : [status, ...others];
  }, [t, tUi, currency, tab]);
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation('conversions');
  return useMemo(() => {
    const column = (id: string, cell: (row: Row) => ReactNode, width: number, more: Partial<Column<Row>> = {}): Column<Row> => ({
      id,
      header: t(`column.${id}` as 'column.order'),
      cell,
      width,
      ...more,
    });
    const figure = (sort: string): Partial<Column<Row>> => ({ align: 'end', sort, sortFirst: 'descending' });
    return [
      column('order', (row) => row.orderId, 112),
      column('date', (row) => <DateTime value={row.occurredAt} />, 108, {
        sort: 'occurredAt',
        sortFirst: 'descending',
        narrow: { rank: 4 },
      }),
      column('affiliate', (row) => <Identity name={row.affiliate.name} detail={row.affiliate.email} size={28} />, 196, {
        narrow: { rank: 5, below: 'order', width: 160, cell: ({ affiliate }) => affiliate.name },
      }),
      column('source', (row) => t(`source.${row.method}`), 132, { narrow: { rank: 2 } }),
      column('amount', (row) => <Amount row={row} />, 96, figure('amountCents')),
      column('refunded', (row) => <MoneyOrNone cents={row.refundedCents} currency={row.currency} />, 88, {
        ...figure('refundedCents'),
        narrow: {
          rank: 3,
          below: 'amount',
          cell: (row) => <LabelledMoney label={t('column.refunded')} cents={row.refundedCents} currency={row.currency} />,
        },
      }),
      column('commission', (row) => <Commission row={row} />, 116, figure('commissionCents')),
      column('status', (row) => <MoneyStatus state={row.status} />, 124),
      column('conflict', (row) => <Conflict row={row} />, 104, { narrow: { rank: 1 } }),
    ];
  }, [t]);
}

function Amount({ row: { amountCents, currency, exchange } }: { row: Row }) {
  return <OrderAmount cents={amountCents} currency={currency} original={exchange} />;
}

function MoneyOrNone({ cents, currency }: { cents: number; currency: string }) {
  return cents === 0 ? <span className={styles.quiet}>–</span> : <Money cents={cents} currency={currency} />;
}

function Commission({ row }: { row: Row }) {
  const { t } = useTranslation('conversions');
  if (row.commissionCents === 0) return <span className={styles.quiet}>{t('noCommission')}</span>;
  return <Money cents={row.commissionCents} currency={row.currency} />;
}

function Conflict({ row }: { row: Row }) {
  const { t } = useTranslation('conversions');
  if (row.otherAffiliates === 0) return <span className={styles.quiet}>–</span>;
  return (
    <span className={styles.conflict}>
      <Icon name="affiliates" size={16} />
      {t('conflictMark', { count: row.otherAffiliates })}
    </span>
  );
}

function OrderPhoneRow({ row }: { row: Row }) {
  const { t } = useTranslation('conversions');
  return (
    <PhoneRow
      title={row.orderId}
      state={<MoneyStatus state={row.status} />}
      detail={
        <>
          <bdi>{row.affiliate.name}</bdi> · <DateTime value={row.occurredAt} />
        </>
      }
      amount={
        <>
          <Amount row={row} />
          <span className={styles.below}>
            <LabelledMoney label={t('column.commission')} cents={row.commissionCents} currency={row.currency} />
          </span>
        </>
      }
    />
  );
}
