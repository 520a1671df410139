// What each affiliate was paid in a calendar year and the VAT on their invoices, for the accountant: as a table and as CSV.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { download } from '../../../states/download.ts';
import { Problem } from '../../../states/problem.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { Count } from '../../../ui/figures/count.tsx';
import { LabelledMoney, Money } from '../../../ui/figures/money.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { Status } from '../../../ui/marks/status.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { PhoneRow } from '../../../ui/table/phone-rows.tsx';
import type { Column } from '../../../ui/table/table-types.ts';
import { year as yearFilter, yearOptions } from '../../../url/table-filters.ts';
import { tableState } from '../../../url/table-state.ts';
import { useTable } from '../../../url/use-table.ts';
import { loadTotalsCsv, type TaxTotal } from './totals-csv.ts';
import { VatCard } from './VatCard.tsx';

const table = tableState({
  filters: { year: yearFilter('year') },
  sorts: ['amountCents', 'payoutCount'],
  defaultSort: '-amountCents',
  defaultPageSize: 25,
});

export function TaxTotals() {
  const { t } = useTranslation('data');
  const { id: programId, slug, href } = useProgram();
  const [isLoading, setIsLoading] = useState(false);
  const { view, setView, query } = useTable(table);
  const { now } = useFigures();
  const read = useRead('taxTotals.list', { path: { programId }, query: { ...query, expand: 'affiliate' } });
  const vatTotals = read.data?.sum.vatTotals ?? [];
  const hasInvoices = vatTotals.some(({ vatCase }) => vatCase !== null);
  const columns = useColumns(hasInvoices);
  const nameOf = ({ affiliate }: TaxTotal) => affiliate?.name ?? t('totals.unknown');
  const year = read.data?.year;
  const save = async () => {
    if (year === undefined) return;
    setIsLoading(true);
    await download(`${slug}-totals-${year}.csv`, () => loadTotalsCsv(programId, year));
    setIsLoading(false);
  };
  return (
    <Section title={t('totals.title')} detail={t('totals.text')}>
      <DataTable
        label={t('totals.table')}
        columns={columns}
        rows={read.data?.totals}
        total={read.data?.total}
        rowId={({ affiliateId }) => affiliateId}
        rowName={nameOf}
        rowHref={({ affiliateId }) => href(`affiliates/${affiliateId}?tab=payouts`)}
        view={view}
        onViewChange={setView}
        filters={[{ id: 'year', label: t('totals.year'), kind: 'options', isSingle: true, options: yearOptions(now) }]}
        toolbarActions={
          <Button size="small" icon="download" isBusy={isLoading} disabled={!read.data?.total} onClick={() => void save()}>
            {t('totals.download')}
          </Button>
        }
        isRefreshing={read.isPlaceholderData}
        phoneRow={(row) => (
          <PhoneRow
            title={<bdi>{nameOf(row)}</bdi>}
            state={<FormStatus row={row} />}
            detail={`${t('totals.payouts')}: ${row.payoutCount}`}
            amount={<Money cents={row.amountCents} currency={row.currency} />}
          />
        )}
        problem={
          read.error && !read.data ? <Problem error={read.error} what={t('totals.what')} onRetry={() => void read.refetch()} /> : undefined
        }
        empty={<EmptyState sample="entries" title={t('totals.none')} text={t('totals.noneText')} />}
      />
      {hasInvoices ? <VatCard totals={vatTotals} /> : null}
    </Section>
  );
}

/** A missing form needs attention only where the program requires one. */
function FormStatus({ row: { hasTaxForm } }: { row: TaxTotal }) {
  const { t } = useTranslation('data');
  const { id: programId } = useProgram();
  const isRequired = useRead('programs.get', { path: { programId } }).data?.taxForms === 'required';
  if (hasTaxForm)
    return (
      <Status tone="approved" icon="check">
        {t('totals.onFile')}
      </Status>
    );
  return (
    <Status tone={isRequired ? 'held' : 'neutral'} icon={isRequired ? 'warning' : 'clock'}>
      {t('totals.missing')}
    </Status>
  );
}

/** Net and VAT are only shown for programs that issue invoices. */
function useColumns(hasInvoices: boolean): Column<TaxTotal>[] {
  const { t } = useTranslation('data');
  const quarters = [0, 1, 2, 3].map(
    (index): Column<TaxTotal> => ({
      id: `q${index + 1}`,
      header: t('totals.quarter', { number: index + 1 }),
      width: 100,
      align: 'end',
      cell: ({ quarters, currency }) => <Money cents={quarters[index]?.amountCents ?? 0} currency={currency} />,
    }),
  );
  const vat = (['net', 'vat'] as const).map(
    (id, index): Column<TaxTotal> => ({
      id,
      header: t(`totals.${id}`),
      width: 100,
      align: 'end',
      narrow: {
        rank: index + 1,
        below: 'amount',
        width: 130,
        cell: (row) => <LabelledMoney label={t(`totals.${id}`)} cents={row[`${id}Cents`]} currency={row.currency} />,
      },
      cell: (row) => <Money cents={row[`${id}Cents`]} currency={row.currency} />,
    }),
  );
  return [
    {
      id: 'name',
      header: t('totals.affiliate'),
      width: 170,
      cell: ({ affiliate }) => <bdi>{affiliate?.name ?? t('totals.unknown')}</bdi>,
    },
    { id: 'taxForm', header: t('totals.taxForm'), width: 120, cell: (row) => <FormStatus row={row} /> },
    {
      id: 'amount',
      header: t('totals.amount'),
      width: 110,
      align: 'end',
      sort: 'amountCents',
      sortFirst: 'descending',
      cell: ({ amountCents, currency }) => <Money cents={amountCents} currency={currency} />,
    },
    ...(hasInvoices ? vat : []),
    {
      id: 'payouts',
      header: t('totals.payouts'),
      width: 95,
      align: 'end',
      narrow: { rank: 3, below: 'taxForm', cell: (row) => `${t('totals.payouts')}: ${row.payoutCount}` },
      sort: 'payoutCount',
      sortFirst: 'descending',
      cell: ({ payoutCount }) => <Count value={payoutCount} />,
    },
    ...quarters,
  ];
}
