// The columns and filters of the table of customers.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { PhoneRow } from '../../ui/table/phone-rows.tsx';
import type { Column, FilterDefinition } from '../../ui/table/table-types.ts';

export type ListedCustomer = Result<'customers.list'>['customers'][number];

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

export function useColumns(): Column<ListedCustomer>[] {
  const { t } = useTranslation('customers');
  const nameOf = useCustomerName();
  const reasonOf = useReason();
  return [
    { id: 'customer', header: t('column.customer'), width: 260, cell: (row) => nameOf(row) },
    { id: 'affiliate', header: t('column.affiliate'), width: 220, cell: ({ affiliate }) => affiliate?.name ?? t('unbound') },
    { id: 'reason', header: t('column.reason'), width: 240, cell: (row) => reasonOf(row) },
    { id: 'since', header: t('column.since'), width: 150, cell: ({ boundAt }) => (boundAt ? <DateTime value={boundAt} as="date" /> : '–') },
    {
      id: 'created',
      header: t('column.created'),
      width: 150,
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
        options: (['order', 'lead', 'member'] as const).map((value) => ({ value, label: t(`reason.${value}`) })),
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
      state={row.affiliate?.name ?? t('unbound')}
      detail={row.boundBy === null ? undefined : reasonOf(row)}
      amount={<DateTime value={row.createdAt} />}
    />
  );
}
