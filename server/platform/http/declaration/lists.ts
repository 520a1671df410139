// Building blocks of all lists: paging, sorting, filters by time or by several values, and the response
// `{ <noun in plural>, total, limit, offset }`. Lists of events also have a cursor.
import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { exampleOf } from '../openapi/schemas.ts';
import { countOut, timestampIn } from './fields.ts';
import { cursorValue, isAfter, type ListCursor, requireSameSort, toListCursor } from './list-cursor.ts';
import { type Direction, type Page, type Slice, sliceOf } from './slice.ts';

export type Sort<Column extends string = string> = { column: Column; direction: Direction };

/** `sort=name` or `sort=-createdAt`. The default is the first column, descending. */
export function sortBy<const Column extends string>(...columns: readonly [Column, ...Column[]]) {
  const values = columns.flatMap((column) => [`-${column}`, column]);
  const [fallback = ''] = values;
  return z
    .string()
    .refine((text) => values.includes(text), { error: `must be one of: ${values.join(', ')}` })
    .default(fallback)
    .transform((text): Sort<Column> => {
      const column = columns.find((name) => name === text.replace('-', '')) ?? columns[0];
      return { column, direction: text.startsWith('-') ? 'desc' : 'asc' };
    })
    .describe('The field to sort by; a leading `-` sorts in descending order.')
    .meta({ json: { type: 'string', enum: values, default: fallback } });
}

/** A repeatable filter: a row matches if it has one of the values. */
export function oneOf<Value extends string>(values: z.ZodEnum<Record<Value, Value>>) {
  return z
    .union([values.transform((value) => [value]), z.array(values)], `must be one of: ${values.options.join(', ')}`)
    .optional()
    .meta({ json: { type: 'array', items: { type: 'string', enum: values.options } } });
}

/** A repeatable filter whose values are free, such as ids. */
export function severalOf<Value extends z.ZodType<string>>(value: Value) {
  const several = z.array(value).max(100, 'must not have more than 100 values');
  return z
    .union([value.transform((one) => [one]), several])
    .optional()
    .meta({ json: { type: 'array', maxItems: 100, items: { type: 'string', format: 'uuid' } } });
}

const centsText = z
  .string()
  .regex(/^\d{1,11}$/, 'must be an integer amount in cents')
  .transform(Number)
  .meta({ json: { type: 'integer', minimum: 0 } });

/** Inclusive bounds of an amount. */
export const amountRange = {
  amountMinCents: centsText.optional().describe('Only results with at least this amount, in cents.'),
  amountMaxCents: centsText.optional().describe('Only results with at most this amount, in cents.'),
};

/** The SQL conditions of an `amountRange` on a column. */
export function withinAmounts(
  column: string,
  { amountMinCents: min, amountMaxCents: max }: { [Key in keyof typeof amountRange]?: number | undefined },
) {
  return <DB, TB extends keyof DB>({ and }: ExpressionBuilder<DB, TB>) =>
    and(
      [
        min !== undefined && sql<boolean>`${sql.ref(column)} >= ${min}`,
        max !== undefined && sql<boolean>`${sql.ref(column)} <= ${max}`,
      ].filter((bound) => !!bound),
    );
}

type Bounds<Name extends string> = { [Key in `${Name}From` | `${Name}To`]: z.ZodOptional<typeof timestampIn> };

/** `createdFrom` (inclusive) and `createdTo` (exclusive), for any name. */
export function timeRange<const Name extends string>(name: Name): Bounds<Name> {
  return {
    [`${name}From`]: timestampIn.optional().describe(`Only results whose \`${name}At\` is at or after this time.`),
    [`${name}To`]: timestampIn.optional().describe(`Only results whose \`${name}At\` is before this time.`),
  } as Bounds<Name>;
}

/** The SQL conditions of a `timeRange` on a column. */
export function withinRange(column: string, from: Date | undefined, to: Date | undefined) {
  return <DB, TB extends keyof DB>({ and }: ExpressionBuilder<DB, TB>) =>
    and([from && sql<boolean>`${sql.ref(column)} >= ${from}`, to && sql<boolean>`${sql.ref(column)} < ${to}`].filter((bound) => !!bound));
}

/** `?expand=affiliate,product`: the related objects to include in addition to their ids. */
export function expandable<const Name extends string>(...names: readonly [Name, ...Name[]]) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [given].flat().flatMap((text) => text.split(',')))
    .refine((given) => given.every((name) => (names as readonly string[]).includes(name)), {
      error: `must be a comma-separated list of: ${names.join(', ')}`,
    })
    .default([])
    .transform((given): ReadonlySet<Name> => new Set(names.filter((name) => given.includes(name))))
    .describe(`The related objects to include, comma-separated: ${names.map((name) => `\`${name}\``).join(', ')}.`)
    .meta({ json: { type: 'string' }, isLogged: true });
}

/** The schema of a list. Its example is derived from the example of a row. */
export function listOf<const Noun extends string, Row extends z.ZodType>(noun: Noun, row: Row, id: string) {
  const rows = { [noun]: z.array(row) } as { [Key in Noun]: z.ZodArray<Row> };
  const total = countOut.describe('The exact number of matches.');
  return z.object({ ...rows, total, limit: countOut, offset: countOut }).meta({
    id,
    example: { [noun]: [exampleOf(row)], total: 1, limit: 50, offset: 0 },
  });
}

/** The schema of a list that is paged by offset or by cursor. */
export function cursorListOf<const Noun extends string, Row extends z.ZodType>(noun: Noun, row: Row, id: string) {
  const rows = { [noun]: z.array(row) } as { [Key in Noun]: z.ZodArray<Row> };
  return z
    .object({
      ...rows,
      total: countOut.describe('The exact number of matches.'),
      limit: countOut,
      offset: countOut.describe('As it was sent; ignored with a cursor.'),
      nextCursor: z.string().nullable().describe('Pass it as `cursor` to get the next page; null on the last page.'),
    })
    .meta({ id, example: { [noun]: [exampleOf(row)], total: 1, limit: 50, offset: 0, nextCursor: null } });
}

export function opposite(direction: Sort['direction']): Sort['direction'] {
  return direction === 'asc' ? 'desc' : 'asc';
}

type PageRequest = Page & {
  sort: Sort;
  cursor?: ListCursor | undefined;
  /** The alias of the sorted table. */
  table?: string;
  /** Replaces counting where the total is known. */
  count?: (() => Promise<number>) | undefined;
};

/**
 * One page of a filtered query, and the exact number of matches. Rows that sort equally are ordered by `id`, so that
 * pages never overlap.
 */
export async function findPage<DB, TB extends keyof DB, Row>(
  filtered: SelectQueryBuilder<DB, TB, object>,
  { sort, cursor, table, count = () => countRows(filtered), ...page }: PageRequest,
  select: (rows: SelectQueryBuilder<DB, TB, object>) => SelectQueryBuilder<DB, TB, Row>,
): Promise<{ rows: Row[]; total: number; nextCursor: string | null }> {
  const column = (name: string) => sql.ref(table ? `${table}.${name}` : name);
  const [sorted, id] = [column(sort.column), column('id')];
  const read = (rows: SelectQueryBuilder<DB, TB, object>, slice: Pick<Slice, 'limit' | 'offset' | 'direction'>) =>
    select(rows)
      .select([cursorValue(sort.column, sorted).as('cursorValue'), sql<string>`${id}`.as('cursorId')])
      .orderBy(sorted, slice.direction)
      .orderBy(id, slice.direction)
      .limit(slice.limit)
      .offset(slice.offset)
      .execute() as Promise<Positioned<Row>[]>;
  if (cursor) requireSameSort(cursor, sort);
  const total = cursor?.omitsTotal ? 0 : await count();
  if (cursor) {
    const following = filtered.where(isAfter(cursor, sort, { value: sorted, id }));
    const found = await read(following, { limit: page.limit + 1, offset: 0, direction: sort.direction });
    return { ...toPage(found.slice(0, page.limit), { sort, hasMore: found.length > page.limit }), total };
  }
  if (total <= page.offset) return { rows: [], total, nextCursor: null };
  const slice = sliceOf(page, total, sort.direction);
  const rows = slice.toPage(await read(filtered, slice));
  return { ...toPage(rows, { sort, hasMore: page.offset + rows.length < total }), total };
}

type Positioned<Row> = Row & { cursorValue: string; cursorId: string };

function toPage<Row>(found: readonly Positioned<Row>[], { sort, hasMore }: { sort: Sort; hasMore: boolean }) {
  const last = found.at(-1);
  const rows = found.map(({ cursorValue: _value, cursorId: _id, ...row }) => row as Row);
  return { rows, nextCursor: last && hasMore ? toListCursor(sort, { value: last.cursorValue, id: last.cursorId }) : null };
}

/** The exact number of rows that a filtered query matches. */
export async function countRows<DB, TB extends keyof DB>(filtered: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  const counted = await filtered.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  return (counted as { total: number }).total;
}
