// The programs of an agency in one table: what each sells, what it owes, what awaits a decision, and what doesn't work.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { Problem } from '../../states/problem.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { useTable } from '../../url/use-table.ts';
import { type ProgramRow, programTable, sumByCurrency } from './program-table.ts';
import styles from './programs.module.css';
import { ProgramPhoneRow, useProgramColumns } from './use-program-columns.tsx';

const refreshMs = 60_000;

export function ProgramFigures() {
  const { t } = useTranslation('programs');
  const { view, setView, query } = useTable(programTable);
  const columns = useProgramColumns();
  const read = useRead('programs.list', { query }, { refreshMs });
  const rows = read.data?.programs;
  const isWhole = rows !== undefined && view.search === '' && rows.length === read.data?.total;
  return (
    <Stack gap={24}>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        total={read.data?.total}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowHref={({ id }) => `/console/${id}`}
        view={view}
        onViewChange={setView}
        searchLabel={t('search')}
        phoneRow={(row) => <ProgramPhoneRow row={row} />}
        empty={<EmptyState sample="people" title={t('noneFound')} text={t('noneFoundText')} />}
        problem={read.error && !read.data ? <Problem error={read.error} what={t('what')} onRetry={() => void read.refetch()} /> : undefined}
        isRefreshing={read.isPlaceholderData}
      />
      {isWhole ? <Totals rows={rows} /> : null}
    </Stack>
  );
}

/** The sums of each currency, where there is something to add up. */
function Totals({ rows }: { rows: readonly ProgramRow[] }) {
  const { t } = useTranslation('programs');
  const sums = sumByCurrency(rows);
  if (!sums.some(({ programs }) => programs > 1)) return null;
  return (
    <Card title={t('totals.title')} detail={t('totals.detail')} isFlush>
      <ul className={styles.totals}>
        {sums.map(({ currency, programs, salesCents, commissionsCents, owedCents }) => (
          <li key={currency} className={styles.total}>
            <span className={styles.totalName}>
              <strong>{currency}</strong> {t('totals.programs', { count: programs })}
            </span>
            <Figure label={t('column.sales')} cents={salesCents} currency={currency} />
            <Figure label={t('column.commissions')} cents={commissionsCents} currency={currency} />
            <Figure label={t('column.owed')} cents={owedCents} currency={currency} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Figure({ label, cents, currency }: { label: string; cents: number; currency: string }) {
  return (
    <span className={styles.figure}>
      <span className={styles.figureLabel}>{label}</span>
      <Money cents={cents} currency={currency} />
    </span>
  );
}
