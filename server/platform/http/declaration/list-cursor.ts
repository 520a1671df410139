// Cursors of lists that can be sorted by several fields. A cursor has the sort value and the id of the last row of a page,
// so that no row is repeated or skipped when others are added in the meantime.
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { Invalid } from '../../lib/errors.ts';
import { canonicalUuid } from '../../lib/ids.ts';
import { page } from './fields.ts';
import type { Direction } from './slice.ts';

/** A `cursor` in a query: the text of a position, in base64url. */
export function cursorField<At>({ parse }: { parse(text: string): At | null }) {
  return z
    .string()
    .transform((text, context): At => {
      const position = parse(Buffer.from(text, 'base64url').toString('utf8'));
      if (position !== null) return position;
      context.addIssue({ code: 'custom', message: 'must be a `nextCursor` from this list' });
      return z.NEVER;
    })
    .optional()
    .describe('The `nextCursor` of the previous page. Replaces `offset`; `total` is then omitted.')
    .meta({ json: { type: 'string' } });
}

type Sorted = { column: string; direction: Direction };

/** The last row of a page: the value it is sorted by, as text, and its id. */
export type ListCursor = {
  sort: string;
  value: string;
  id: string;
  /** Set by code that reads a list to its end: matches aren't counted again, and the total is 0. Never part of the text. */
  omitsTotal?: boolean;
};

const Stored = z.tuple([z.string(), z.string().max(2000), z.string()]);

function parseCursor(text: string): ListCursor | null {
  const { data } = Stored.safeParse(toJson(text));
  const [sort, value, id] = data ?? ['', '', ''];
  const column = sort.replace('-', '');
  return canonicalUuid(id) !== null && formOf(column).isValid(value) ? { sort, value, id } : null;
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const maxOffset = 10_000;

/** The page of a list that has a cursor. The database passes every row before an offset, but not those before a cursor. */
export const shallowPage = {
  limit: page.limit,
  offset: page.offset
    .refine((offset) => offset <= maxOffset, { error: `must not exceed ${maxOffset}; pass \`cursor\` for later pages` })
    .describe(`The number of results to skip, up to ${maxOffset}; pass \`cursor\` for later pages.`)
    .meta({ json: { type: 'integer', minimum: 0, maximum: maxOffset, default: 0 } }),
};

/** Query parameters of a list that is paged by offset or by cursor. */
export const cursorPage = {
  ...shallowPage,
  cursor: cursorField({ parse: parseCursor }).describe(
    'The `nextCursor` of the previous page, with the same filters and the same `sort`. Replaces `offset`.',
  ),
};

/** How the values of a column are written in a cursor, and compared with it. */
type Form = {
  toText(column: RawBuilder<unknown>): RawBuilder<string>;
  isValid(text: string): boolean;
  fromText(text: string): RawBuilder<unknown>;
};

/** Times have microseconds in the database. */
const time: Form = {
  toText: (column) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`,
  isValid: (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/.test(text) && isExisting(text),
  fromText: (text) => sql`${`${text}Z`}::timestamptz`,
};
const integer: Form = {
  toText: (column) => sql`${column}::text`,
  isValid: (text) => /^-?\d{1,15}$/.test(text),
  fromText: (text) => sql`${text}::bigint`,
};
const day: Form = {
  toText: (column) => sql`${column}::text`,
  isValid: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isExisting(`${text}T00:00:00.000000`),
  fromText: (text) => sql`${text}::date`,
};
const plain: Form = {
  toText: (column) => sql`${column}::text`,
  isValid: (text) => !text.includes('\0'),
  fromText: (text) => sql`${text}::text`,
};

function isExisting(text: string): boolean {
  const date = new Date(`${text.slice(0, 23)}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 23) === text.slice(0, 23);
}

/** Fields of the API are named after their form. */
function formOf(column: string): Form {
  if (column.endsWith('At')) return time;
  if (column.endsWith('On')) return day;
  return column.endsWith('Cents') || column === 'redemptions' ? integer : plain;
}

/** The sort value of a row, as its cursor has it. */
export function cursorValue(column: string, value: RawBuilder<unknown>): RawBuilder<string> {
  return formOf(column).toText(value);
}

/** Throws unless the cursor is of a list that was sorted like this one. */
export function requireSameSort(cursor: ListCursor, sort: Sorted): void {
  if (cursor.sort === sortText(sort)) return;
  throw new Invalid([{ path: ['cursor'], message: 'must be used with the same `sort` as the request that returned it' }]);
}

/** The rows that follow the cursor. Columns to sort by are never null. */
export function isAfter(
  { value, id }: ListCursor,
  { column, direction }: Sorted,
  columns: { value: RawBuilder<unknown>; id: RawBuilder<unknown> },
): RawBuilder<boolean> {
  const beyond = direction === 'desc' ? sql`<` : sql`>`;
  return sql`(${columns.value}, ${columns.id}) ${beyond} (${formOf(column).fromText(value)}, ${id}::uuid)`;
}

/** The cursor that continues after a row. */
export function toListCursor(sort: Sorted, { value, id }: Pick<ListCursor, 'value' | 'id'>): string {
  return Buffer.from(JSON.stringify([sortText(sort), value, id])).toString('base64url');
}

function sortText({ column, direction }: Sorted): string {
  return direction === 'desc' ? `-${column}` : column;
}
