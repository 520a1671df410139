// Cursors, for lists of events that grow while they are read: clicks, events, ledger entries, the audit log. A cursor
// identifies the last row of a page by time and id, or by sequence number, so that no row is repeated or skipped.
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { canonicalUuid } from '../../lib/ids.ts';
import { exampleOf } from '../openapi/schemas.ts';
import { countOut } from './fields.ts';
import { cursorField, shallowPage } from './list-cursor.ts';
import { countRows, type Sort, sortBy } from './lists.ts';
import type { Page } from './slice.ts';

type Position = { at: Date; id: string };

/** The order of a list of events, and the text of a cursor. */
type Order<Row, At> = {
  columns: readonly string[];
  values(position: At): readonly RawBuilder<unknown>[];
  toText(row: Row): string;
  parse(text: string): At | null;
};

const byTime: Order<{ createdAt: Date; id: string }, Position> = {
  columns: ['createdAt', 'id'],
  values: ({ at, id }) => [sql`${at}`, sql`${id}::uuid`],
  toText: ({ createdAt, id }) => `${createdAt.toISOString()} ${id}`,
  parse(text) {
    const [time = '', id = '', ...rest] = text.split(' ');
    const at = new Date(time);
    if (rest.length > 0 || canonicalUuid(id) === null || Number.isNaN(at.getTime()) || at.toISOString() !== time) return null;
    return { at, id };
  },
};

const bySequence: Order<{ seq: number }, number> = {
  columns: ['seq'],
  values: (seq) => [sql`${seq}::bigint`],
  toText: ({ seq }) => String(seq),
  parse: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : null),
};

/** Query parameters of a list of events, newest first. */
export const eventPage = { ...shallowPage, cursor: cursorField(byTime), sort: sortBy('createdAt') };

/** Query parameters of a list of sequentially numbered events, newest first. */
export const sequencePage = { ...shallowPage, cursor: cursorField(bySequence), sort: sortBy('seq') };

/** The shape of a list of events. */
export function eventListOf<const Noun extends string, Row extends z.ZodType>(noun: Noun, row: Row, id: string) {
  const rows = { [noun]: z.array(row) } as { [Key in Noun]: z.ZodArray<Row> };
  return z
    .object({
      ...rows,
      total: countOut.optional().describe('The exact number of matches. Omitted if a cursor was sent.'),
      limit: countOut,
      offset: countOut.optional().describe('Omitted if a cursor was sent.'),
      nextCursor: z.string().nullable().describe('Pass it as `cursor` to get the next page; null on the last page.'),
    })
    .meta({ id, example: { [noun]: [exampleOf(row)], total: 1, limit: 50, offset: 0, nextCursor: null } });
}

type EventPageRequest<At> = Page & { cursor?: At | undefined; sort: Sort };
type EventPageResult<Row> = { rows: Row[]; total?: number; limit: number; offset?: number; nextCursor: string | null };
type Select<DB, TB extends keyof DB, Row> = (rows: SelectQueryBuilder<DB, TB, object>) => SelectQueryBuilder<DB, TB, Row>;

/** What replaces counting where the total is known. */
type Known = { count?: (() => Promise<number>) | undefined };

/** One page of events by cursor, or by offset with the total. Rows must select `createdAt` and `id`. */
export function findEventPage<DB, TB extends keyof DB, Row extends { createdAt: Date; id: string }>(
  filtered: SelectQueryBuilder<DB, TB, object>,
  requested: EventPageRequest<Position>,
  select: Select<DB, TB, Row>,
  known?: Known,
): Promise<EventPageResult<Row>> {
  return findOrderedPage<DB, TB, Row, Position>(filtered, requested, select, byTime, known);
}

/** Like `findEventPage`, for numbered events. Rows must select `seq`. */
export function findSequencePage<DB, TB extends keyof DB, Row extends { seq: number }>(
  filtered: SelectQueryBuilder<DB, TB, object>,
  requested: EventPageRequest<number>,
  select: Select<DB, TB, Row>,
  known?: Known,
): Promise<EventPageResult<Row>> {
  return findOrderedPage<DB, TB, Row, number>(filtered, requested, select, bySequence, known);
}

async function findOrderedPage<DB, TB extends keyof DB, Row, At>(
  filtered: SelectQueryBuilder<DB, TB, object>,
  { cursor, sort, ...page }: EventPageRequest<At>,
  select: Select<DB, TB, Row>,
  order: Order<Row, At>,
  { count = () => countRows(filtered) }: Known = {},
): Promise<EventPageResult<Row>> {
  const { limit } = page;
  const read = (rows: SelectQueryBuilder<DB, TB, object>, part: Page) =>
    order.columns
      .reduce((query, column) => query.orderBy(sql.ref(column), sort.direction), select(rows))
      .limit(part.limit)
      .offset(part.offset)
      .execute();
  const toCursor = (last: Row | undefined) => (last ? Buffer.from(order.toText(last)).toString('base64url') : null);
  if (cursor === undefined) {
    const total = await count();
    const rows = total <= page.offset ? [] : await read(filtered, page);
    return { rows, total, ...page, nextCursor: page.offset + rows.length < total ? toCursor(rows.at(-1)) : null };
  }
  const columns = order.columns.map((name) => sql.ref(name));
  const beyond = sort.direction === 'desc' ? sql`<` : sql`>`;
  const remaining = filtered.where(sql<boolean>`(${sql.join(columns)}) ${beyond} (${sql.join([...order.values(cursor)])})`);
  const found = await read(remaining, { limit: limit + 1, offset: 0 });
  const rows = found.slice(0, limit);
  return { rows, limit, nextCursor: found.length > limit ? toCursor(rows.at(-1)) : null };
}
