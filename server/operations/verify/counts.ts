// Invariants of the numbers and sums per day that lists show. As in money.ts, `scope` is a condition on program_id.
import { type RawBuilder, sql } from 'kysely';
import { countRowsOfCommissions, countRowsOwed } from '../../earning/commissions/counts.ts';
import { countRowsOfLedger } from '../../earning/ledger/entry-counts.ts';
import { sumSummaries } from '../../earning/orders/totals.ts';
import type { ScopedInvariant } from './money.ts';

export const countInvariants: readonly ScopedInvariant[] = [
  {
    name: 'totals of conversions equal the rows of their days',
    breaks: (scope) =>
      findDifferences(scope, {
        table: 'conversion_totals',
        keys: ['day', 'created_day', 'status', 'method', 'has_conflict'],
        measures: ['orders', 'amount_cents', 'refunded_cents', 'commission_cents', 'reversed_cents'],
        facts: sumSummaries(scope),
      }),
  },
  {
    name: 'counts of commissions equal the rows of their days',
    breaks: (scope) =>
      findDifferences(scope, {
        table: 'commission_counts',
        keys: ['day', 'status', 'kind'],
        measures: ['commissions'],
        facts: countRowsOfCommissions(scope),
      }),
  },
  {
    name: 'the number of owed commissions of an affiliate equals the commissions',
    breaks: (scope) =>
      findDifferences(scope, { table: 'owed_commissions', keys: ['affiliate_id'], measures: ['commissions'], facts: countRowsOwed(scope) }),
  },
  {
    name: 'counts of ledger entries equal the rows of their days',
    breaks: (scope) =>
      findDifferences(scope, { table: 'ledger_counts', keys: ['day', 'kind'], measures: ['entries'], facts: countRowsOfLedger(scope) }),
  },
];

type Stored = { table: string; keys: readonly string[]; measures: readonly string[]; facts: RawBuilder<unknown> };

/** Stored rows that differ from the facts. A row of zeros equals no row. */
function findDifferences(scope: RawBuilder<unknown>, { table, keys, measures, facts }: Stored): RawBuilder<unknown> {
  const columns = sql.join([sql.ref('program_id'), ...keys.map((key) => sql.ref(key))]);
  const values = (side: string) => sql.join(measures.map((name) => sql`coalesce(${sql.ref(`${side}.${name}`)}, 0)`));
  const named = (side: string) =>
    sql`json_build_object(${sql.join(measures.flatMap((name) => [sql.lit(name), sql`coalesce(${sql.ref(`${side}.${name}`)}, 0)`]))})`;
  return sql`
    select ${columns}, ${named('stored')} as stored, ${named('fact')} as expected from (select * from ${sql.table(table)} where ${scope}) as stored
    full join (${facts}) as fact using (${columns})
    where (${values('stored')}) is distinct from (${values('fact')})`;
}
