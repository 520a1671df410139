// Reads the rows of an export through the list that the table shows, with the same filters and in the same order.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { parseParts, rejectUnknownParameters } from '../../platform/http/validate.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import type { ExportedList, Found, Reader, Row, Slice } from './exported-list.ts';

const paging = ['limit', 'offset', 'cursor'];

/** The parameters of a query string. Throws Invalid for those that the list does not have. */
export function parseQuery({ list }: ExportedList, text: string, rows: 'page' | 'all' | 'selected'): Record<string, unknown> {
  const sent = new URLSearchParams(text);
  const names = [...new Set(sent.keys())].filter((name) => rows === 'page' || !paging.includes(name));
  const query = Object.fromEntries(
    names.map((name) => {
      const values = sent.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
  try {
    rejectUnknownParameters(list.query, query);
    parseParts({ query: [list.query ?? z.object({}), query] });
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    const details = (error.details ?? []).map(({ path, message }) => ({ path: ['query', ...path], message }));
    throw new Invalid(details);
  }
  return query;
}

const Listed = z.looseObject({ total: z.number().optional(), nextCursor: z.string().nullish() });

/** One call of the list. */
async function callList(ctx: Context, { list, noun }: ExportedList, reader: Reader, query: object): Promise<Found & { total: number }> {
  // Lists of a program need only the program and its currency from their caller.
  const input = { actor: reader, params: {}, body: undefined, caller: undefined, query };
  const result = await list.handle?.(ctx as never, input as never);
  const { total = 0, nextCursor = null } = Listed.parse(result);
  return { rows: (result as Record<string, Row[]>)[noun] ?? [], total, next: nextCursor };
}

/** The rows of one page of the table. */
export async function readPage(ctx: Context, exported: ExportedList, reader: Reader, query: Record<string, unknown>): Promise<Row[]> {
  return (await callList(ctx, exported, reader, parse(exported, query))).rows;
}

/** How many rows match. */
export async function countMatches(ctx: Context, exported: ExportedList, reader: Reader, query: Record<string, unknown>): Promise<number> {
  return (await callList(ctx, exported, reader, Object.assign(parse(exported, query), { limit: 1 }))).total;
}

/** The next rows that match. A step reads more than a page of the API has. */
export async function readSlice(ctx: Context, exported: ExportedList, reader: Reader, slice: Slice): Promise<Found> {
  if (exported.readAll) return exported.readAll(ctx, reader, slice);
  if (slice.after === null) return callList(ctx, exported, reader, Object.assign(parse(exported, slice.query), { limit: slice.limit }));
  const query = Parsed.parse(parse(exported, { ...slice.query, cursor: slice.after }));
  // The matches were counted when the export began. Counting them with each step would take quadratic time.
  const cursor = typeof query.cursor === 'object' ? { ...query.cursor, omitsTotal: true } : query.cursor;
  return callList(ctx, exported, reader, { ...query, cursor, limit: slice.limit });
}

const Parsed = z.looseObject({ cursor: z.union([z.looseObject({}), z.string()]) });

function parse({ list }: ExportedList, query: Record<string, unknown>): object {
  return (list.query?.parse(query) ?? {}) as object;
}
