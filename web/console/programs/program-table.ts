// The tables over several programs in the URL, and what they show of a program. Pure.
import type { Result } from '../../api/call.ts';
import { someOf } from '../../url/table-filters.ts';
import { tableState } from '../../url/table-state.ts';
import { type RawSearch, readOne, readText } from '../../url/url-state.ts';
import { problems } from '../overview/targets.ts';

export type ProgramRow = Result<'programs.list'>['programs'][number];

export const views = ['programs', 'review'] as const;
export type View = (typeof views)[number];

export function readPlace(raw: RawSearch): { view: View; isCreating: boolean } {
  return { view: readOne(raw, 'view', views) ?? 'programs', isCreating: readText(raw, 'create') !== undefined };
}

export const programTable = tableState({ filters: {}, sorts: [], defaultPageSize: 200 });

export const reviewKinds = ['application', 'page', 'fraud_alert', 'claim', 'bounty_submission'] as const;

export const reviewTable = tableState({
  filters: { kind: someOf('kind', reviewKinds), programId: someOf('programId') },
  sorts: [],
  defaultPageSize: 50,
});

/** The most urgent problem of a program, if it has one, and what awaits a decision. */
export function readAttention({ attention }: Pick<ProgramRow, 'attention'>) {
  const tasks = attention.filter(({ kind }) => !problems.has(kind));
  return {
    problem: attention.find(({ kind }) => problems.has(kind)) ?? null,
    task: tasks[0] ?? null,
    taskCount: tasks.reduce((sum, { count }) => sum + count, 0),
  };
}

export type CurrencySums = { currency: string; programs: number; salesCents: number; commissionsCents: number; owedCents: number };

/** The sums of live programs by currency: amounts of different currencies are never added up. The most programs first. */
export function sumByCurrency(rows: readonly ProgramRow[]): CurrencySums[] {
  const live = rows.filter(({ mode }) => mode === 'live');
  const currencies = [...new Set(live.map(({ currency }) => currency))];
  const sums = currencies.map((currency) => {
    const same = live.filter((row) => row.currency === currency);
    const sum = (pick: (row: ProgramRow) => number) => same.reduce((total, row) => total + pick(row), 0);
    return {
      currency,
      programs: same.length,
      salesCents: sum(({ salesCents }) => salesCents.value),
      commissionsCents: sum(({ commissionsCents }) => commissionsCents.value),
      owedCents: sum(({ owedCents }) => owedCents),
    };
  });
  return sums.sort((one, other) => other.programs - one.programs || one.currency.localeCompare(other.currency));
}
