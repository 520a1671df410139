// The columns and filters of the table of commissions.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { LabelledMoney, Money } from '../../ui/figures/money.tsx';
import { Rate } from '../../ui/figures/rate.tsx';
import { Identity } from '../../ui/marks/avatar.tsx';
import { MoneyStatus } from '../../ui/marks/status.tsx';
import { PhoneRow } from '../../ui/table/phone-rows.tsx';
import type { Column, FilterDefinition } from '../../ui/table/table-types.ts';
import { kinds } from './commission-table.ts';

export type Commission = Result<'commissions.list'>['commissions'][number];
export type CommissionDetail = Result<'commissions.get'>;

/** "FF-10023", or "Bonus" where there is no order. */
export function useRowName(): (row: Pick<Commission, 'orderId' | 'kind'>) => string {
  const { t } = useTranslation('commissions');
  return ({ orderId, kind }) => orderId ?? t(`kind.${kind}`);
}

/** "Pending until 21 Dec"; other states need no date. */
export function State({ row }: { row: Pick<Commission, 'status' | 'maturesAt'> }) {
  const { t } = useTranslation('commissions');
  if (row.status !== 'pending') return <MoneyStatus state={row.status} />;
  const detail = (
    <>
      {t('until')} <DateTime value={row.maturesAt} as="date" />
    </>
  );
  return <MoneyStatus state="pending" detail={detail} />;
}

/** The rate, or the amount per order; "–" for bonuses and adjustments. */
export function RateOf({ row }: { row: Pick<Commission, 'type' | 'rate' | 'flatAmountCents' | 'currency' | 'kind'> }) {
  if (row.type === 'percentage' && row.rate !== null) return <Rate value={{ type: 'percentage', rate: row.rate }} />;
  if (row.flatAmountCents === null) return '–';
  const per = row.kind === 'lead' ? 'lead' : 'order';
  return <Rate value={{ type: 'flat', amountCents: row.flatAmountCents, currency: row.currency, per }} />;
}

function Amount({ cents, currency }: { cents: number; currency: string }) {
  return cents === 0 ? '–' : <Money cents={cents} currency={currency} />;
}

export function useColumns(): Column<Commission>[] {
  const { t } = useTranslation('commissions');
  const nameOf = useRowName();
  const figure = { align: 'end' } as const;
  return [
    { id: 'order', header: t('column.order'), width: 130, cell: (row) => nameOf(row) },
    {
      id: 'date',
      header: t('column.date'),
      width: 110,
      narrow: { rank: 3 },
      sort: 'createdAt',
      sortFirst: 'descending',
      cell: (row) => <DateTime value={row.createdAt} />,
    },
    {
      id: 'affiliate',
      header: t('column.affiliate'),
      width: 190,
      narrow: { rank: 5, below: 'order', width: 180, cell: ({ affiliate }) => affiliate?.name },
      cell: ({ affiliate }) => <Identity name={affiliate?.name ?? ''} size={28} />,
    },
    { id: 'state', header: t('column.state'), width: 180, sort: 'maturesAt', cell: (row) => <State row={row} /> },
    { id: 'kind', header: t('column.kind'), width: 110, narrow: { rank: 1 }, cell: ({ kind }) => t(`kind.${kind}`) },
    { id: 'product', header: t('column.product'), width: 150, cell: ({ product }) => product?.name ?? '–', isHiddenAtFirst: true },
    { id: 'level', header: t('column.level'), width: 80, cell: ({ level }) => t(level === 1 ? 'direct' : 'upline'), isHiddenAtFirst: true },
    {
      ...figure,
      id: 'base',
      header: t('column.base'),
      width: 100,
      cell: (row) => <Amount cents={row.baseCents} currency={row.currency} />,
      isHiddenAtFirst: true,
    },
    { ...figure, id: 'rate', header: t('column.rate'), width: 90, narrow: { rank: 2 }, cell: (row) => <RateOf row={row} /> },
    { id: 'rule', header: t('column.rule'), width: 150, cell: ({ rule }) => rule?.name ?? '–', isHiddenAtFirst: true },
    {
      ...figure,
      id: 'amount',
      header: t('column.amount'),
      width: 120,
      sort: 'amountCents',
      sortFirst: 'descending',
      cell: (row) => <Money cents={row.amountCents} currency={row.currency} />,
    },
    {
      ...figure,
      id: 'reversed',
      header: t('column.reversed'),
      width: 100,
      narrow: {
        rank: 4,
        below: 'amount',
        cell: (row) => <LabelledMoney label={t('column.reversed')} cents={row.reversedCents} currency={row.currency} />,
      },
      cell: (row) => <Amount cents={row.reversedCents} currency={row.currency} />,
    },
  ];
}

export function useFilterDefinitions(): FilterDefinition[] {
  const { t } = useTranslation('commissions');
  return useMemo(
    () => [
      { id: 'kind', label: t('column.kind'), kind: 'options', options: kinds.map((value) => ({ value, label: t(`kind.${value}`) })) },
      { id: 'created', label: t('column.date'), kind: 'days' },
      { id: 'matures', label: t('matures'), kind: 'days' },
      { id: 'occurred', label: t('ordered'), kind: 'days' },
    ],
    [t],
  );
}

export function CommissionPhoneRow({ row }: { row: Commission }) {
  const nameOf = useRowName();
  return (
    <PhoneRow
      title={<bdi>{row.affiliate?.name ?? nameOf(row)}</bdi>}
      state={<State row={row} />}
      detail={
        <>
          {nameOf(row)} · <DateTime value={row.createdAt} />
        </>
      }
      amount={<Money cents={row.amountCents - row.reversedCents} currency={row.currency} />}
    />
  );
}
