// The columns and filters of the table of customers.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { Count } from '../../ui/figures/count.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { PhoneRow } from '../../ui/table/phone-rows.tsx';
import type { Column, FilterDefinition } from '../../ui/table/table-types.ts';

export type ListedCustomer = Result<'customerTable.list'>['customers'][number];

/** What the customer is called: the program's own id or, without one, how they are known. */
export function useCustomerName(): (customer: Pick<ListedCustomer, 'externalIds'>) => string {
  const { t } = useTranslation('customers');
  return ({ externalIds }) => (externalIds.length > 0 ? externalIds.join(', ') : t('byEmail'));
}

/** "Sign-up · click". */
export function useReason(): (customer: Pick<ListedCustomer, 'boundBy' | 'boundMethod'>) => string {
  const { t } = useTranslation('customers');
  return ({ boundBy, boundMethod }) => {
    if (boundBy === null) return '–';
    return boundMethod === null ? t(`reason.${boundBy}`) : t(`reasonBy.${boundBy}`, { method: t(`method.${boundMethod}`) });
  };
}

/** What can bind a customer to an affiliate. */
export const bindingReasons = ['order', 'lead', 'member'] as const;

const figure = { align: 'end' } as const;

export function useColumns(): Column<ListedCustomer>[] {
  const { t } = useTranslation('customers');
  const nameOf = useCustomerName();
  const reasonOf = useReason();
  return [
    { id: 'customer', header: t('column.customer'), width: 190, cell: (row) => nameOf(row) },
    { id: 'affiliate', header: t('column.affiliate'), width: 190, cell: ({ affiliateName }) => affiliateName ?? t('unbound') },
    { id: 'reason', header: t('column.reason'), width: 210, narrow: { rank: 3 }, cell: (row) => reasonOf(row) },
    { ...figure, id: 'orders', header: t('orders'), width: 90, narrow: { rank: 4 }, cell: ({ orders }) => <Count value={orders} /> },
    { ...figure, id: 'value', header: t('value'), width: 120, cell: (row) => <Money cents={row.salesCents} currency={row.currency} /> },
    {
      id: 'since',
      header: t('column.since'),
      width: 110,
      narrow: { rank: 2 },
      cell: ({ boundAt }) => (boundAt ? <DateTime value={boundAt} as="date" /> : '–'),
    },
    {
      id: 'created',
      header: t('column.created'),
      width: 130,
      narrow: { rank: 1 },
      sort: 'createdAt',
      sortFirst: 'descending',
      cell: ({ createdAt }) => <DateTime value={createdAt} />,
    },
  ];
}

export function useFilterDefinitions(): FilterDefinition[] {
  const { t } = useTranslation('customers');
  return useMemo(
    () => [
      {
        id: 'isBound',
        label: t('filter.bound'),
        kind: 'options',
        options: (['true', 'false'] as const).map((value) => ({ value, label: t(`filter.${value}`) })),
      },
      {
        id: 'boundBy',
        label: t('filter.boundBy'),
        kind: 'options',
        options: bindingReasons.map((value) => ({ value, label: t(`reason.${value}`) })),
      },
    ],
    [t],
  );
}

export function CustomerPhoneRow({ row }: { row: ListedCustomer }) {
  const { t } = useTranslation('customers');
  const nameOf = useCustomerName();
  const reasonOf = useReason();
  return (
    <PhoneRow
      title={nameOf(row)}
      detail={[row.affiliateName ?? t('unbound'), row.boundBy === null ? null : reasonOf(row)].filter((part) => part !== null).join(' · ')}
      amount={<Money cents={row.salesCents} currency={row.currency} />}
    />
  );
}
