// The columns and filters of the table of invoices.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../ui/figures/context.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { LabelledMoney, Money } from '../../ui/figures/money.tsx';
import { Status } from '../../ui/marks/status.tsx';
import { PhoneRow } from '../../ui/table/phone-rows.tsx';
import type { Column, FilterDefinition } from '../../ui/table/table-types.ts';
import { yearOptions } from '../../url/table-filters.ts';
import { type Invoice, kinds, vatCases } from './invoice-table.ts';

/** "Cancels FF-2026-0001", "Cancelled by FF-2026-0002" or "Issued". */
export function InvoiceStatus({ invoice: { cancelsNumber, cancelledByNumber } }: { invoice: Invoice }) {
  const { t } = useTranslation('invoice-list');
  if (cancelsNumber !== null)
    return (
      <Status tone="reversed" icon="ebb">
        {t('status.cancels', { number: cancelsNumber })}
      </Status>
    );
  if (cancelledByNumber !== null)
    return (
      <Status tone="neutral" icon="close">
        {t('status.cancelled', { number: cancelledByNumber })}
      </Status>
    );
  return (
    <Status tone="paid" icon="check">
      {t('status.issued')}
    </Status>
  );
}

export function useColumns(): Column<Invoice>[] {
  const { t } = useTranslation('invoice-list');
  return useMemo(() => [...describing(t), ...amounts(t)], [t]);
}

type Translate = ReturnType<typeof useTranslation<'invoice-list'>>['t'];

function describing(t: Translate): Column<Invoice>[] {
  return [
    { id: 'number', header: t('column.number'), width: 140, cell: ({ number }) => number },
    {
      id: 'created',
      header: t('column.created'),
      width: 110,
      narrow: { rank: 4, below: 'number' },
      sort: 'createdAt',
      sortFirst: 'descending',
      cell: ({ createdAt }) => <DateTime value={createdAt} as="date" />,
    },
    {
      id: 'affiliate',
      header: t('column.affiliate'),
      width: 170,
      cell: ({ affiliate }) => <bdi>{affiliate?.name ?? '–'}</bdi>,
    },
    {
      id: 'status',
      header: t('column.status'),
      width: 230,
      narrow: { rank: 3, below: 'affiliate', width: 230 },
      cell: (invoice) => <InvoiceStatus invoice={invoice} />,
    },
    { id: 'case', header: t('column.vatCase'), width: 150, narrow: { rank: 1 }, cell: ({ vatCase }) => t(`vatCase.${vatCase}`) },
  ];
}

function amounts(t: Translate): Column<Invoice>[] {
  return [
    {
      id: 'net',
      header: t('column.net'),
      width: 110,
      align: 'end',
      narrow: { rank: 2 },
      cell: ({ netCents, currency }) => <Money cents={netCents} currency={currency} />,
    },
    {
      id: 'vat',
      header: t('column.vat'),
      width: 100,
      align: 'end',
      narrow: {
        rank: 5,
        below: 'amount',
        cell: ({ vatCents, currency }) => <LabelledMoney label={t('column.vat')} cents={vatCents} currency={currency} />,
      },
      cell: ({ vatCents, currency }) => <Money cents={vatCents} currency={currency} />,
    },
    {
      id: 'amount',
      header: t('column.amount'),
      width: 120,
      align: 'end',
      sort: 'amountCents',
      sortFirst: 'descending',
      cell: ({ amountCents, currency }) => <Money cents={amountCents} currency={currency} />,
    },
  ];
}

export function useFilterDefinitions(): FilterDefinition[] {
  const { t } = useTranslation('invoice-list');
  const { now } = useFigures();
  return useMemo(
    () => [
      { id: 'year', label: t('column.year'), kind: 'options', isSingle: true, options: yearOptions(now) },
      {
        id: 'kind',
        label: t('column.kind'),
        kind: 'options',
        options: kinds.map((value) => ({ value, label: t(`kinds.${value}`) })),
      },
      {
        id: 'vatCase',
        label: t('column.vatCase'),
        kind: 'options',
        options: vatCases.map((value) => ({ value, label: t(`vatCase.${value}`) })),
      },
      { id: 'created', label: t('column.created'), kind: 'days' },
    ],
    [t, now],
  );
}

export function InvoicePhoneRow({ row }: { row: Invoice }) {
  return (
    <PhoneRow
      title={row.number}
      state={<InvoiceStatus invoice={row} />}
      detail={
        <>
          <bdi>{row.affiliate?.name ?? '–'}</bdi> · <DateTime value={row.createdAt} as="date" />
        </>
      }
      amount={<Money cents={row.amountCents} currency={row.currency} />}
    />
  );
}
