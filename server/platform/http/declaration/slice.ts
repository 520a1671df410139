// Which rows to read for a page of a list. The database passes every row before an offset, so a page is read from what is
// nearest to it: the start of the list, its end, or a row in between whose position is known.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';

export type Direction = 'asc' | 'desc';
export type Page = { limit: number; offset: number };

/** A value that rows are sorted by, and how many rows are before the first one with at least this value, in ascending order. */
export type Landmark = { value: Date | number; rowsBefore: number };

/** The positions of the rows of a page in ascending order: from (inclusive) and to (exclusive). */
type Positions = { from: number; to: number };

/** Finds a landmark that is at or before the first of the positions, or at or after their end; null if it knows none. */
export type FindLandmark = (positions: Positions) => Promise<Landmark | null>;

export type Slice = Page & {
  direction: Direction;
  /** Rows are read from this value on: ascending with at least, descending with less. Null: from an end of the list. */
  start: Date | number | null;
  /** The rows that were read, in the order of the page. */
  toPage<Row>(rows: readonly Row[]): Row[];
};

/** Offsets up to this are read from an end of the list: it takes less than 2 ms. */
const nearRows = 10_000;

/** What to read for a page of a list with `total` rows. */
export async function findSlice(page: Page, total: number, direction: Direction, findLandmark?: FindLandmark): Promise<Slice> {
  const slice = sliceOf(page, total, direction);
  if (!findLandmark || slice.limit === 0 || slice.offset <= nearRows) return slice;
  return sliceOf(page, total, direction, await findLandmark(positionsOf(page, total, direction)));
}

/** The same with a landmark that is known already. */
export function sliceOf(page: Page, total: number, direction: Direction, landmark: Landmark | null = null): Slice {
  const { from, to } = positionsOf(page, total, direction);
  const ends = [
    { direction: 'asc', offset: from, start: null },
    { direction: 'desc', offset: total - to, start: null },
  ] as const;
  const starts: Pick<Slice, 'direction' | 'offset' | 'start'>[] = direction === 'asc' ? [...ends] : ends.toReversed();
  if (landmark) {
    const { value, rowsBefore } = landmark;
    if (rowsBefore <= from) starts.push({ direction: 'asc', offset: from - rowsBefore, start: value });
    if (rowsBefore >= to) starts.push({ direction: 'desc', offset: rowsBefore - to, start: value });
  }
  const nearest = starts.reduce((best, next) => (next.offset < best.offset ? next : best));
  return { ...nearest, limit: to - from, toPage: (read) => (nearest.direction === direction ? [...read] : read.toReversed()) };
}

function positionsOf({ limit, offset }: Page, total: number, direction: Direction): Positions {
  const [from, to] = [Math.min(offset, total), Math.min(offset + limit, total)];
  return direction === 'asc' ? { from, to } : { from: total - to, to: total - from };
}

/** The condition that follows from the start of a slice. */
export function afterStart({ start, direction }: Slice, column: RawBuilder<unknown>): RawBuilder<boolean> {
  if (start === null) return sql<boolean>`true`;
  return direction === 'asc' ? sql<boolean>`${column} >= ${start}` : sql<boolean>`${column} < ${start}`;
}

/**
 * Finds the midnight (UTC) that is nearest to a page, from stored counts: a query with the columns `day` (UTC) and `rows`, for
 * the rows of the list, which are sorted by the time that the days are of.
 */
export function nearestMidnight({ db }: Pick<Context, 'db'>, counts: RawBuilder<unknown>): FindLandmark {
  return async ({ from, to }) => {
    const { rows } = await sql<{ value: Date; rowsBefore: number }>`
      select (day + 1)::timestamp at time zone 'UTC' as value, rows_before
      from (select day, sum(sum(rows)) over (order by day)::bigint as rows_before from (${counts}) as stored group by day) as midnight
      where rows_before <= ${from}::bigint or rows_before >= ${to}::bigint
      order by greatest(${from}::bigint - rows_before, rows_before - ${to}::bigint) limit 1`.execute(db);
    return rows[0] ?? null;
  };
}
