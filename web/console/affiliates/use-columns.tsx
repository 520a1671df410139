// The columns of the table of affiliates, and a row on a phone.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { Count, Percent } from '../../ui/figures/count.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { fullName } from '../../ui/figures/full-name.ts';
import { Money } from '../../ui/figures/money.tsx';
import { Identity } from '../../ui/marks/avatar.tsx';
import { AffiliateStatus } from '../../ui/marks/status.tsx';
import { Tag } from '../../ui/marks/tag.tsx';
import { PhoneRow } from '../../ui/table/phone-rows.tsx';
import type { Column } from '../../ui/table/table-types.ts';
import styles from './affiliates.module.css';

export type Row = Result<'affiliateTable.list'>['affiliates'][number];

export const nameOf = (row: Pick<Row, 'firstName' | 'lastName'>): string => fullName(row);

/** Pending affiliates who were emailed are "Invited"; the others have applied. */
export function stateOf({ status, invitedAt }: Row) {
  return status === 'pending' && invitedAt !== null ? 'invited' : status;
}

function None() {
  return <span className={styles.none}>–</span>;
}

const visibleTags = 2;

function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return <None />;
  return (
    <span className={styles.tags}>
      {tags.slice(0, visibleTags).map((tag) => (
        <Tag key={tag}>{tag}</Tag>
      ))}
      {tags.length > visibleTags ? <span className={styles.none}>+{tags.length - visibleTags}</span> : null}
    </span>
  );
}

const amount = { align: 'end', sortFirst: 'descending', width: 112 } as const;

export function useColumns(): Column<Row>[] {
  const { t } = useTranslation('affiliate-table');
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('column.name'),
        width: 236,
        sort: 'name',
        cell: (row) => <Identity name={nameOf(row)} detail={row.email} />,
      },
      { id: 'status', header: t('column.status'), width: 126, sort: 'status', cell: (row) => <AffiliateStatus state={stateOf(row)} /> },
      {
        id: 'group',
        header: t('column.group'),
        width: 112,
        narrow: { rank: 2 },
        sort: 'group',
        cell: (row) => row.group?.name ?? <None />,
      },
      { id: 'tags', header: t('column.tags'), width: 164, sort: 'tags', isHiddenAtFirst: true, cell: (row) => <Tags tags={row.tags} /> },
      {
        id: 'code',
        header: t('column.code'),
        width: 124,
        sort: 'referralCode',
        isHiddenAtFirst: true,
        cell: (row) => <span className={styles.code}>{row.vanitySlug ?? row.referralCode}</span>,
      },
      ...figureColumns(t),
      {
        id: 'page',
        header: t('column.page'),
        width: 132,
        sort: 'pageState',
        isHiddenAtFirst: true,
        cell: (row) => (row.pageState === 'none' ? <None /> : t(`page.${row.pageState}`)),
      },
      {
        id: 'payoutDetails',
        header: t('column.payoutDetails'),
        width: 132,
        sort: 'hasPayoutDetails',
        isHiddenAtFirst: true,
        cell: (row) => t(row.hasPayoutDetails ? 'yes' : 'no'),
      },
      {
        id: 'joined',
        header: t('column.joined'),
        width: 120,
        sort: 'createdAt',
        isHiddenAtFirst: true,
        sortFirst: 'descending',
        cell: (row) => <DateTime value={row.createdAt} as="date" />,
      },
    ],
    [t],
  );
}

type Texts = ReturnType<typeof useTranslation<'affiliate-table'>>['t'];

function countColumns(t: Texts): Column<Row>[] {
  return [
    {
      ...amount,
      id: 'clicks',
      header: t('column.clicks'),
      width: 84,
      narrow: { rank: 3 },
      sort: 'clicks',
      cell: (row) => <Count value={row.clicks} />,
    },
    {
      ...amount,
      id: 'conversions',
      header: t('column.conversions'),
      width: 110,
      narrow: { rank: 4 },
      sort: 'conversions',
      cell: (row) => <Count value={row.conversions} />,
    },
    {
      ...amount,
      id: 'conversionRate',
      header: t('column.conversionRate'),
      width: 124,
      sort: 'conversionRate',
      isHiddenAtFirst: true,
      cell: (row) => (row.clicks === 0 ? <None /> : <Percent value={row.conversionRate} decimals={1} />),
    },
  ];
}

function figureColumns(t: Texts): Column<Row>[] {
  return [
    ...countColumns(t),
    {
      ...amount,
      id: 'sales',
      header: t('column.sales'),
      sort: 'salesCents',
      cell: (row) => <Money cents={row.salesCents} currency={row.currency} />,
    },
    {
      ...amount,
      id: 'commission',
      header: t('column.commission'),
      narrow: { rank: 5 },
      sort: 'commissionCents',
      cell: (row) => <Money cents={row.commissionCents} currency={row.currency} />,
    },
    {
      ...amount,
      id: 'epc',
      header: t('column.epc'),
      sort: 'earningsPerClickCents',
      isHiddenAtFirst: true,
      cell: (row) => (row.clicks === 0 ? <None /> : <Money cents={Math.round(row.earningsPerClickCents)} currency={row.currency} />),
    },
    {
      ...amount,
      id: 'balance',
      header: t('column.balance'),
      narrow: { rank: 6 },
      sort: 'balanceCents',
      cell: (row) => (row.balanceCents === 0 ? <None /> : <Money cents={row.balanceCents} currency={row.currency} />),
    },
    {
      id: 'lastSale',
      header: t('column.lastSale'),
      narrow: { rank: 1 },
      width: 124,
      sort: 'lastSaleAt',
      sortFirst: 'descending',
      cell: (row) => (row.lastSaleAt === null ? <None /> : <DateTime value={row.lastSaleAt} as="date" />),
    },
  ];
}

/** Name and state above, last sale and sales below. */
export function AffiliatePhoneRow({ row }: { row: Row }) {
  const { t } = useTranslation('affiliate-table');
  return (
    <PhoneRow
      title={nameOf(row)}
      state={<AffiliateStatus state={stateOf(row)} />}
      detail={
        row.lastSaleAt === null ? (
          t('noSales')
        ) : (
          <>
            {t('lastSale')} <DateTime value={row.lastSaleAt} as="date" />
          </>
        )
      }
      amount={<Money cents={row.salesCents} currency={row.currency} />}
    />
  );
}
