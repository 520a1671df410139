// The columns and filters of the table of products.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { PhoneRow } from '../../ui/table/phone-rows.tsx';
import type { Column, FilterDefinition } from '../../ui/table/table-types.ts';
import { ProductName } from './ProductName.tsx';
import { availabilities } from './product-table.ts';

type Row = Result<'productTable.list'>['products'][number];

export function useColumns(): Column<Row>[] {
  const { t } = useTranslation('products');
  return [
    { id: 'name', header: t('column.name'), width: 250, sort: 'name', cell: (row) => <ProductName product={row} /> },
    { id: 'sku', header: t('column.sku'), width: 130, narrow: { rank: 4 }, cell: ({ sku, externalId }) => sku ?? externalId ?? '–' },
    { id: 'category', header: t('column.category'), width: 120, narrow: { rank: 5 }, cell: ({ category }) => category ?? '–' },
    {
      id: 'price',
      header: t('column.price'),
      width: 110,
      align: 'end',
      sort: 'priceCents',
      sortFirst: 'descending',
      cell: ({ priceCents, currency }) => <Money cents={priceCents} currency={currency} />,
    },
    {
      id: 'groups',
      header: t('column.groups'),
      width: 160,
      narrow: { rank: 3 },
      cell: (row) => <GroupNames names={row.allowedGroupNames} />,
    },
    { id: 'availability', header: t('column.availability'), width: 120, cell: ({ availability }) => t(`availability.${availability}`) },
    {
      id: 'updated',
      header: t('column.updated'),
      width: 120,
      narrow: { rank: 2 },
      sort: 'updatedAt',
      sortFirst: 'descending',
      cell: ({ updatedAt }) => <DateTime value={updatedAt} />,
    },
    {
      id: 'synced',
      header: t('column.synced'),
      width: 120,
      narrow: { rank: 1 },
      cell: ({ lastSyncedAt }) => (lastSyncedAt === null ? '–' : <DateTime value={lastSyncedAt} />),
    },
  ];
}

function GroupNames({ names }: { names: readonly string[] }) {
  const { t, i18n } = useTranslation('products');
  if (names.length === 0) return <>{t('everyone')}</>;
  return <bdi>{new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(names)}</bdi>;
}

export function useFilterDefinitions(): FilterDefinition[] {
  const { t } = useTranslation('products');
  return useMemo(
    () => [
      {
        id: 'availability',
        label: t('column.availability'),
        kind: 'options',
        options: availabilities.map((value) => ({ value, label: t(`availability.${value}`) })),
      },
    ],
    [t],
  );
}

export function ProductPhoneRow({ row }: { row: Row }) {
  const { t } = useTranslation('products');
  const { name, sku, category, priceCents, currency, availability, allowedGroupNames } = row;
  const groups = allowedGroupNames.length === 0 ? t('everyone') : allowedGroupNames.join(', ');
  return (
    <PhoneRow
      title={name}
      state={availability === 'in_stock' ? undefined : t(`availability.${availability}`)}
      detail={[category ?? sku, groups].filter(Boolean).join(' · ')}
      amount={<Money cents={priceCents} currency={currency} />}
    />
  );
}
