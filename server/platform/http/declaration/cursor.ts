// Cursors, for lists of events that grow while they are read: clicks, events, ledger entries, the audit log.
// A cursor names the last row of a page by its time and id, so a page never repeats or skips a row.
import { type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { canonicalUuid } from '../../lib/ids.ts';
import { exampleOf } from '../openapi/schemas.ts';
import { countOut, page } from './fields.ts';
import { countRows, type Page, type Sort, sortBy } from './lists.ts';

type Place = { at: Date; id: string };

const cursor = z
  .string()
  .transform((text, context): Place => {
    const place = parseCursor(text);
    if (!place) context.addIssue({ code: 'custom', message: 'must be a `nextCursor` of this list' });
    return place ?? { at: new Date(0), id: '' };
  })
  .optional()
  .describe('The `nextCursor` of the previous page. Replaces `offset`; the total is then left out.')
  .meta({ json: { type: 'string' } });

/** Query parameters of a list of events, newest first. */
export const eventPage = { ...page, cursor, sort: sortBy('createdAt') };

/** The shape of a list of events. */
export function eventListOf<const Noun extends string, Row extends z.ZodType>(noun: Noun, row: Row, id: string) {
  const rows = { [noun]: z.array(row) } as { [Key in Noun]: z.ZodArray<Row> };
  return z
    .object({
      ...rows,
      total: countOut.optional().describe('How many rows match, exactly. Left out when a cursor was sent.'),
      limit: countOut,
      offset: countOut.optional().describe('Left out when a cursor was sent.'),
      nextCursor: z.string().nullable().describe('Send it as `cursor` for the next page; null on the last page.'),
    })
    .meta({ id, example: { [noun]: [exampleOf(row)], total: 1, limit: 50, offset: 0, nextCursor: null } });
}

type EventPage = Page & { cursor?: Place | undefined; sort: Sort };
type Found<Row> = { rows: Row[]; total?: number; limit: number; offset?: number; nextCursor: string | null };

/** One page of events by cursor, or by offset with the total. Rows must select `createdAt` and `id`. */
export async function findEventPage<DB, TB extends keyof DB, Row extends { createdAt: Date; id: string }>(
  filtered: SelectQueryBuilder<DB, TB, object>,
  { limit, offset, cursor: place, sort }: EventPage,
  select: (rows: SelectQueryBuilder<DB, TB, object>) => SelectQueryBuilder<DB, TB, Row>,
): Promise<Found<Row>> {
  const [at, id] = [sql.ref('createdAt'), sql.ref('id')];
  const beyond = sort.direction === 'desc' ? sql`<` : sql`>`;
  const rest = place ? filtered.where(sql<boolean>`(${at}, ${id}) ${beyond} (${place.at}, ${place.id}::uuid)`) : filtered;
  const ordered = select(rest).orderBy(at, sort.direction).orderBy(id, sort.direction);
  const found = await ordered
    .limit(limit + 1)
    .offset(place ? 0 : offset)
    .execute();
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const nextCursor = last && found.length > limit ? formatCursor({ at: last.createdAt, id: last.id }) : null;
  if (place) return { rows, limit, nextCursor };
  const total = await countRows(filtered);
  return { rows, total, limit, offset, nextCursor };
}

function formatCursor({ at, id }: Place): string {
  return Buffer.from(`${at.toISOString()} ${id}`).toString('base64url');
}

function parseCursor(text: string): Place | null {
  const [time = '', id = '', ...rest] = Buffer.from(text, 'base64url').toString('utf8').split(' ');
  const at = new Date(time);
  if (rest.length > 0 || canonicalUuid(id) === null || Number.isNaN(at.getTime()) || at.toISOString() !== time) return null;
  return { at, id };
}
