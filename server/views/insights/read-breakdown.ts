// The figures of two periods by value, in one statement. The values beyond the limit are added up.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Range } from '../overview/range.ts';
import { sumDays, sumFigures } from '../overview/sum-figures.ts';
import type { Breakdown, Figures, Metric } from './shape.ts';
import { selectFigures } from './stored-totals.ts';

export type Compared = Figures & { previous: Figures | null };
export type BreakdownRow = Compared & { value: string | null };

type Requested = { programId: string; timezone: string; breakdown: Breakdown; metric: Metric; range: Range; limit: number };

type Sums = Figures & { previousClicks: number; previousConversions: number; previousSalesCents: number; previousCommissionsCents: number };
type Found = Sums & { value: string | null; values: number; place: number };

const measures = ['clicks', 'conversions', 'salesCents', 'commissionsCents'] as const;
const columns = measures.map((name) => sql.ref(name));
const previousColumns = measures.map((name) => sql.ref(toPrevious(name)));

/** The rows with the highest values of the metric, and the sums of the others. */
export async function readBreakdown(
  ctx: Pick<Context, 'db'>,
  { programId, timezone, breakdown, metric, range, limit }: Requested,
): Promise<{ rows: BreakdownRow[]; other: (Compared & { values: number }) | null }> {
  const facts = await selectFigures(ctx, programId, breakdown, { range, timezone });
  const sums = sql.join([
    ...columns.map((column) => sql`coalesce(sum(${column}) filter (where is_current), 0)::bigint as ${column}`),
    ...columns.map(
      (column, index) => sql`coalesce(sum(${column}) filter (where not is_current), 0)::bigint as ${previousColumns[index] ?? column}`,
    ),
  ]);
  const all = [...columns, ...previousColumns];
  const { rows } = await sql<Found>`
    with summed as (select value, ${sums} from (${facts}) as fact group by value),
    ranked as (
      select *, least(row_number() over (order by ${sql.ref(metric)} desc, ${sql.ref(toPrevious(metric))} desc, value), ${limit + 1}) as place
      from summed
      where ${sql.join(
        all.map((column) => sql`${column} <> 0`),
        sql` or `,
      )}
    )
    select min(value) as value, count(*) as values, place,
      ${sql.join(all.map((column) => sql`sum(${column})::bigint as ${column}`))}
    from ranked group by place order by place`.execute(ctx.db);
  const toCompared = (found: Sums) => compare(found, range.previous !== null);
  const other = rows.find(({ place }) => place > limit);
  return {
    rows: rows.filter(({ place }) => place <= limit).map((row) => ({ value: row.value, ...toCompared(row) })),
    other: other ? { values: other.values, ...toCompared(other) } : null,
  };
}

function compare(found: Sums, isCompared: boolean): Compared {
  const { clicks, conversions, salesCents, commissionsCents } = found;
  const previous = {
    clicks: found.previousClicks,
    conversions: found.previousConversions,
    salesCents: found.previousSalesCents,
    commissionsCents: found.previousCommissionsCents,
  };
  return { clicks, conversions, salesCents, commissionsCents, previous: isCompared ? previous : null };
}

function toPrevious(name: Metric): keyof Sums {
  const names = {
    clicks: 'previousClicks',
    conversions: 'previousConversions',
    salesCents: 'previousSalesCents',
    commissionsCents: 'previousCommissionsCents',
  } as const;
  return names[name];
}

type Day = Figures & { day: string; isCurrent: boolean };
type Days = { current: Day[]; previous: Day[] };

type Periods = Pick<Requested, 'programId' | 'timezone'> & { range: Pick<Range, 'current' | 'previous'> };

/** The figures of the program. */
export async function readSums(ctx: Pick<Context, 'db'>, periods: Periods): Promise<Compared> {
  return toSums(await readDays(ctx, periods), periods);
}

/** The figures of the program, and per bucket of the range, in their order. */
export async function readBuckets(
  ctx: Pick<Context, 'db'>,
  requested: Pick<Requested, 'programId' | 'timezone' | 'range'>,
): Promise<{ sums: Compared; rows: BreakdownRow[] }> {
  const { buckets, previousBuckets } = requested.range;
  const days = await readDays(ctx, requested);
  const rows = buckets.map((span, index) => {
    const before = previousBuckets[index];
    return { value: span.from, ...sumDays(days.current, span), previous: before ? sumDays(days.previous, before) : null };
  });
  return { sums: toSums(days, requested), rows };
}

function toSums({ current, previous }: Days, { range }: Periods): Compared {
  return { ...sumFigures(current), previous: range.previous && sumFigures(previous) };
}

async function readDays(ctx: Pick<Context, 'db'>, { programId, timezone, range }: Periods): Promise<Days> {
  const facts = await selectFigures(ctx, programId, 'day', { range, timezone });
  const { rows: days } = await sql<Day>`
    select value as day, is_current, ${sql.join(columns.map((column) => sql`sum(${column})::bigint as ${column}`))}
    from (${facts}) as fact group by 1, 2`.execute(ctx.db);
  return { current: days.filter(({ isCurrent }) => isCurrent), previous: days.filter(({ isCurrent }) => !isCurrent) };
}
