// Invariants of the numbers and sums per day that lists show. As in money.ts, `scope` is a condition on program_id.
import { type RawBuilder, sql } from 'kysely';
import { countRowsOfCommissions, countRowsOwed } from '../../earning/commissions/counts.ts';
import { countRowsOfLedger } from '../../earning/ledger/entry-counts.ts';
import { sumSummaries } from '../../earning/orders/totals.ts';
import { selectPending } from '../../partners/affiliates/totals/pending.ts';
import { storedBreakdowns } from '../../views/insights/stored-totals.ts';
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
  { name: 'stored sums by breakdown equal the daily totals of their days', breaks: findWrongBreakdowns },
];

/** Every stored breakdown of a span adds up to the same sums, except by product: an order counts for each of its products. */
const literals = storedBreakdowns.filter((breakdown) => breakdown !== 'product').map((breakdown) => sql.lit(breakdown));
/** Without parameters: those of a check are the program only. */
const addingUp = sql`array[${sql.join(literals)}]`;

function findWrongBreakdowns(scope: RawBuilder<unknown>): RawBuilder<unknown> {
  const measures = ['clicks', 'conversions', 'sales_cents', 'commissions_cents'];
  const sums = sql.join(measures.map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`));
  return sql`
    with current_spans as materialized (
      select span.program_id, span.span, span.starts_on, case span.span when 'day' then span.starts_on when 'week' then span.starts_on + 6
        else (span.starts_on + interval '1 month')::date - 1 end as ends_on
      from (select * from breakdown_spans where ${scope}) as span join programs as program on program.id = span.program_id
      where span.is_current and span.timezone = program.timezone
    ), days as materialized (
      select program_id, day, sum(clicks) as clicks, sum(conversions) as conversions, sum(sales_cents - refunds_cents) as sales_cents,
        sum(commissions_cents - reversals_cents) as commissions_cents
      from (
        select program_id, day, clicks, conversions, sales_cents, refunds_cents, commissions_cents, reversals_cents
        from daily_totals where ${scope}
        union all select program_id, day, clicks, 0, 0, 0, 0, 0 from (${selectPending(scope)}) as pending
      ) as total group by 1, 2
    ), facts as (
      select span.program_id, breakdown, span.span, span.starts_on, ${sums}
      from current_spans as span cross join unnest(${addingUp}) as breakdown
      join days on days.program_id = span.program_id and days.day between span.starts_on and span.ends_on
      group by 1, 2, 3, 4
    ), totals as (
      select program_id, breakdown, span, starts_on, ${sums} from (select * from breakdown_totals where ${scope}) as total
      join current_spans using (program_id, span, starts_on) where breakdown = any(${addingUp}) group by 1, 2, 3, 4
    )
    select program_id, breakdown, span, starts_on, ${named(measures, 'stored')} as stored, ${named(measures, 'fact')} as expected
    from totals as stored full join facts as fact using (program_id, breakdown, span, starts_on)
    where (${values(measures, 'stored')}) is distinct from (${values(measures, 'fact')})`;
}

type Stored = { table: string; keys: readonly string[]; measures: readonly string[]; facts: RawBuilder<unknown> };

/** Stored rows that differ from the facts. A row of zeros equals no row. */
function findDifferences(scope: RawBuilder<unknown>, { table, keys, measures, facts }: Stored): RawBuilder<unknown> {
  const columns = sql.join([sql.ref('program_id'), ...keys.map((key) => sql.ref(key))]);
  return sql`
    select ${columns}, ${named(measures, 'stored')} as stored, ${named(measures, 'fact')} as expected from (select * from ${sql.table(table)} where ${scope}) as stored
    full join (${facts}) as fact using (${columns})
    where (${values(measures, 'stored')}) is distinct from (${values(measures, 'fact')})`;
}

function values(measures: readonly string[], side: string): RawBuilder<unknown> {
  return sql.join(measures.map((name) => sql`coalesce(${sql.ref(`${side}.${name}`)}, 0)`));
}

function named(measures: readonly string[], side: string): RawBuilder<unknown> {
  return sql`json_build_object(${sql.join(measures.flatMap((name) => [sql.lit(name), sql`coalesce(${sql.ref(`${side}.${name}`)}, 0)`]))})`;
}
