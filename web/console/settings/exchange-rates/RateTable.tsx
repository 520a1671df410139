// The stored rates, by currency.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Problem } from '../../../states/problem.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { DateTime, Day } from '../../../ui/figures/date-time.tsx';
import { formatDecimal } from '../../../ui/figures/format.ts';
import { Section } from '../../../ui/layout/card.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { PhoneRow } from '../../../ui/table/phone-rows.tsx';
import type { Column, FilterDefinition } from '../../../ui/table/table-types.ts';
import { oneOf } from '../../../url/table-filters.ts';
import { tableState } from '../../../url/table-state.ts';
import { useTable } from '../../../url/use-table.ts';

type Rate = Result<'exchangeRates.list'>['exchangeRates'][number];

const table = tableState({
  filters: { currency: oneOf('currency') },
  sorts: ['quotedOn', 'createdAt'],
  defaultSort: '-quotedOn',
  defaultPageSize: 25,
});

export function RateTable({ currencies, currency }: { currencies: readonly string[]; currency: string }) {
  const { t } = useTranslation('exchange-rates');
  const { id: programId } = useProgram();
  const { view, setView, query } = useTable(table);
  const read = useRead('exchangeRates.list', { path: { programId }, query });
  const columns = useColumns(currency);
  const filter: FilterDefinition = {
    id: 'currency',
    label: t('table.currency'),
    kind: 'options',
    options: currencies.map((value) => ({ value, label: value })),
    isSingle: true,
  };
  return (
    <Section title={t('table.title')}>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={read.data?.exchangeRates}
        total={read.data?.total}
        rowId={nameOf}
        rowName={nameOf}
        rowHref={() => null}
        view={view}
        onViewChange={setView}
        filters={[filter]}
        phoneRow={(rate) => <RatePhoneRow rate={rate} />}
        empty={<EmptyState sample="entries" title={t('table.emptyTitle')} text={t('table.emptyText')} />}
        problem={
          read.error && !read.data ? <Problem error={read.error} what={t('table.what')} onRetry={() => void read.refetch()} /> : undefined
        }
        isRefreshing={read.isPlaceholderData}
      />
    </Section>
  );
}

function nameOf({ currency, quotedOn }: Rate): string {
  return `${currency} ${quotedOn}`;
}

function useColumns(currency: string): Column<Rate>[] {
  const { t } = useTranslation('exchange-rates');
  return useMemo(
    () => [
      { id: 'currency', header: t('table.currency'), cell: (rate) => rate.currency, width: 110 },
      {
        id: 'quotedOn',
        header: t('table.day'),
        cell: (rate) => <Day value={rate.quotedOn} />,
        width: 140,
        sort: 'quotedOn',
        sortFirst: 'descending',
      },
      { id: 'rate', header: t('table.rate', { currency }), cell: (rate) => <Decimal rate={rate.rate} />, width: 180, align: 'end' },
      { id: 'source', header: t('table.source'), cell: (rate) => t(`rateSource.${rate.source}`), width: 190, narrow: { rank: 2 } },
      { id: 'stored', header: t('table.stored'), cell: (rate) => <DateTime value={rate.updatedAt} />, width: 150, narrow: { rank: 1 } },
    ],
    [t, currency],
  );
}

function Decimal({ rate }: { rate: string }) {
  const { language } = useFigures();
  return formatDecimal(rate, language);
}

function RatePhoneRow({ rate }: { rate: Rate }) {
  const { t } = useTranslation('exchange-rates');
  return (
    <PhoneRow
      title={rate.currency}
      detail={
        <>
          <Day value={rate.quotedOn} /> · {t(`rateSource.${rate.source}`)}
        </>
      }
      amount={<Decimal rate={rate.rate} />}
    />
  );
}
