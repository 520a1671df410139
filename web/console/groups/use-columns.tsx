// The columns of the table of groups.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { Count } from '../../ui/figures/count.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { PhoneRow } from '../../ui/table/phone-rows.tsx';
import type { Column } from '../../ui/table/table-types.ts';

export type Group = Result<'groups.get'>;

const figure = { align: 'end' } as const;

export function useColumns(): Column<Group>[] {
  const { t } = useTranslation('groups');
  return [
    { id: 'name', header: t('column.name'), width: 170, sort: 'name', cell: ({ name }) => <bdi>{name}</bdi> },
    { id: 'description', header: t('column.description'), width: 280, narrow: { rank: 2 }, cell: ({ description }) => description ?? '–' },
    {
      ...figure,
      id: 'members',
      header: t('column.members'),
      width: 100,
      narrow: { rank: 3 },
      cell: ({ affiliateCount }) => <Count value={affiliateCount} />,
    },
    { ...figure, id: 'hold', header: t('column.hold'), width: 110, cell: (row) => <HoldPeriod group={row} /> },
    { ...figure, id: 'minimum', header: t('column.minimum'), width: 150, cell: (row) => <MinimumPayout group={row} /> },
    {
      id: 'created',
      header: t('column.created'),
      width: 130,
      narrow: { rank: 1 },
      sort: 'createdAt',
      sortFirst: 'descending',
      cell: ({ createdAt }) => <DateTime value={createdAt} as="date" />,
    },
  ];
}

/** The hold period of a group, or that it is the program's. */
export function HoldPeriod({ group: { holdDays } }: { group: Group }) {
  const { t } = useTranslation('groups');
  return <>{holdDays === null ? t('asProgram') : t('days', { count: holdDays })}</>;
}

/** The minimum payout of a group, or that it is the program's. */
export function MinimumPayout({ group: { minimumPayoutCents, currency } }: { group: Group }) {
  const { t } = useTranslation('groups');
  if (minimumPayoutCents === null) return t('asProgram');
  return <Money cents={minimumPayoutCents} currency={currency} />;
}

export function GroupPhoneRow({ row }: { row: Group }) {
  const { t } = useTranslation('groups');
  const hold = (
    <>
      {t('column.hold')}: <HoldPeriod group={row} />
    </>
  );
  return <PhoneRow title={row.name} detail={hold} amount={t('members', { count: row.affiliateCount })} />;
}
