// Totals of a period from sums that are stored per day: whole days are read from the stored sums, and only the rows of the
// parts of days at both ends are counted. One statement reads both, so the total is exact at any moment.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { addDays, type LocalDate, localDate, startOfDay } from '../lib/zoned-time.ts';

/** From (inclusive) and to (exclusive), each of them optional. */
export type Period = { from?: Date | undefined; to?: Date | undefined };

type Split = {
  /** The whole days: from (inclusive) and to (exclusive). Null if the period contains none. */
  days: { from: LocalDate | undefined; to: LocalDate | undefined } | null;
  /** The rest of the period. */
  parts: { from: Date; to: Date }[];
};

/** The whole days of a period, and the parts of days before and after them. */
export function splitPeriod({ from, to }: Period, timezone: string): Split {
  const first = from && findFirstDay(from, timezone);
  const end = to && localDate(to, timezone);
  if (from && to && first && end && first >= end) return { days: null, parts: [{ from, to }] };
  const firstAt = first && startOfDay(first, timezone);
  const endAt = end && startOfDay(end, timezone);
  const parts = [];
  if (from && firstAt && from < firstAt) parts.push({ from, to: firstAt });
  if (to && endAt && endAt < to) parts.push({ from: endAt, to });
  return { days: { from: first, to: end }, parts };
}

/** The first day that starts at this time or later. */
function findFirstDay(at: Date, timezone: string): LocalDate {
  const day = localDate(at, timezone);
  return startOfDay(day, timezone) < at ? addDays(day, 1) : day;
}

type Totals<Name extends string> = {
  /** A query for the stored sums, with the columns `day` and the measures. */
  stored: RawBuilder<unknown>;
  timezone: string;
  period: Period;
  /** The measures of single rows, by the name of their column in `stored`. */
  measures: Record<Name, RawBuilder<unknown>>;
  /** What follows `select …` for the rows, ending with their condition. */
  rows: RawBuilder<unknown>;
  /** The time of a row. */
  at: RawBuilder<unknown>;
};

/** The sums of the measures over a period. */
export async function sumByDay<Name extends string>(
  { db }: Pick<Context, 'db'>,
  { stored, timezone, period, measures, rows, at }: Totals<Name>,
): Promise<Record<Name, number>> {
  const { days, parts } = splitPeriod(period, timezone);
  const names = Object.keys(measures) as Name[];
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const ofRows = sql.join(names.map((name) => sql`${measures[name]}::bigint as ${sql.ref(name)}`));
  const queries = parts.map((part) => sql`select ${ofRows} ${rows} and ${at} >= ${part.from} and ${at} < ${part.to}`);
  if (days) {
    const [from, to] = [days.from && sql`and day >= ${days.from}::date`, days.to && sql`and day < ${days.to}::date`];
    queries.push(sql`select ${columns} from (${stored}) as stored where true ${from ?? sql``} ${to ?? sql``}`);
  }
  const sums = sql.join(names.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::bigint as ${sql.ref(name)}`));
  const found = await sql<Record<Name, number>>`select ${sums} from (${sql.join(queries, sql` union all `)}) as part`.execute(db);
  const [totals] = found.rows;
  if (!totals) throw new Error('An aggregate has no row.');
  return totals;
}
