// A section of the file with an affiliate's data: an array of rows, read page by page so that memory stays constant.
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { pageRows } from '../../../platform/http/load/long-response.ts';

/** Whose data is read: an affiliate, and the user who signs in as this affiliate. */
export type Owner = { programId: string; affiliateId: string; userId: string };

export type Section = {
  /** The name of its field in the file. */
  name: string;
  /** What the rows are, for the reference. */
  meaning: string;
  /** The tables whose rows about the affiliate it contains. */
  tables: readonly string[];
  row: z.ZodObject;
  example: object;
  pages(ctx: Pick<Context, 'db'>, owner: Owner): AsyncGenerator<readonly object[]>;
};

type Declaration<Row> = Omit<Section, 'pages'> & {
  /** The rows after the last one that was read, in the order of an index, without a limit. */
  select(owner: Owner, last: Row | undefined): RawBuilder<Row>;
};

/** Declares a section. */
export function section<Row extends object>({ select, ...declared }: Declaration<Row>): Section {
  async function* pages(ctx: Pick<Context, 'db'>, owner: Owner): AsyncGenerator<readonly object[]> {
    for (let last: Row | undefined; ; ) {
      const { rows } = await sql<Row>`${select(owner, last)} limit ${pageRows}`.execute(ctx.db);
      if (rows.length > 0) yield rows.map(toPlain);
      if (rows.length < pageRows) return;
      last = rows.at(-1);
    }
  }
  return { ...declared, pages };
}

/** A row that is found by when it was created. */
export type Dated = { id: string; createdAt: Date };

/** The rows of a table, by its name in the query, that were created after the last one that was read. */
export function createdAfter(table: string, last: Dated | undefined): RawBuilder<unknown> {
  if (!last) return sql`true`;
  const position = sql.raw(`(${table}.created_at, ${table}.id)`);
  return sql`${position} > (${last.createdAt}::timestamptz, ${last.id}::uuid)`;
}

function toPlain(row: object): object {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]));
}
