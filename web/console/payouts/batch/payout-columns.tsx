// The columns and filters of tables of payouts.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Text } from '../../../ui/layout/stack.tsx';
import { Identity } from '../../../ui/marks/avatar.tsx';
import { PayoutStatus } from '../../../ui/marks/status.tsx';
import { PhoneRow } from '../../../ui/table/phone-rows.tsx';
import type { Column, FilterDefinition } from '../../../ui/table/table-types.ts';
import { days, someOf } from '../../../url/table-filters.ts';
import { tableState } from '../../../url/table-state.ts';
import { type Payout, statusOrder } from './batch.ts';

export const payoutTable = tableState({
  filters: { status: someOf('status', statusOrder), created: days('createdFrom', 'createdTo') },
  sorts: ['createdAt', 'amountCents'],
  defaultSort: '-createdAt',
});

export const nameOfPayee = ({ affiliate, affiliateId }: Payout): string => affiliate?.name ?? affiliateId;

/** The reason of the provider, the note of a cancellation, or nothing. */
const reasonOf = ({ failureReason, note }: Payout): string => failureReason ?? note ?? '–';

export function usePayoutColumns(): Column<Payout>[] {
  const { t } = useTranslation('payout-batch');
  return useMemo(
    () => [
      {
        id: 'affiliate',
        header: t('column.affiliate'),
        width: 220,
        cell: (row) => <Identity name={nameOfPayee(row)} detail={row.affiliate?.email} size={28} />,
      },
      { id: 'status', header: t('column.status'), width: 160, cell: (row) => <PayoutStatus state={row.status} /> },
      {
        id: 'reason',
        header: t('column.reason'),
        width: 260,
        narrow: { rank: 3, below: 'status', width: 190, cell: (row) => row.failureReason ?? row.note },
        cell: reasonOf,
      },
      { id: 'reference', header: t('column.reference'), width: 180, narrow: { rank: 1 }, cell: (row) => row.reference ?? '–' },
      {
        id: 'created',
        header: t('column.created'),
        width: 130,
        narrow: { rank: 2 },
        sort: 'createdAt',
        sortFirst: 'descending',
        cell: (row) => <DateTime value={row.createdAt} />,
      },
      {
        id: 'amount',
        header: t('column.amount'),
        width: 120,
        align: 'end',
        sort: 'amountCents',
        sortFirst: 'descending',
        cell: (row) => <Amount row={row} />,
      },
    ],
    [t],
  );
}

/** The amount of the ledger, and below it what is paid in another currency. */
function Amount({ row: { amountCents, currency, exchange } }: { row: Payout }) {
  return (
    <>
      <Money cents={amountCents} currency={currency} />
      {exchange === null ? null : (
        <Text size="small">
          <Money cents={exchange.amountCents} currency={exchange.currency} />
        </Text>
      )}
    </>
  );
}

export function usePayoutFilters(): FilterDefinition[] {
  const { t } = useTranslation('payout-batch');
  const { t: tUi } = useTranslation('ui');
  return useMemo(
    () => [
      {
        id: 'status',
        label: t('column.status'),
        kind: 'options',
        options: statusOrder.map((value) => ({ value, label: tUi(`payout.${value}`) })),
      },
      { id: 'created', label: t('column.created'), kind: 'days' },
    ],
    [t, tUi],
  );
}

export function PayoutPhoneRow({ row }: { row: Payout }) {
  return (
    <PhoneRow
      title={nameOfPayee(row)}
      state={<PayoutStatus state={row.status} />}
      detail={row.failureReason ?? row.note ?? <DateTime value={row.createdAt} />}
      amount={<Money cents={row.amountCents} currency={row.currency} />}
    />
  );
}
