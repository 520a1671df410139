// The types of columns, for statements that are written from them. They are read when a process starts.
import type pg from 'pg';

const types = new Map<string, ReadonlyMap<string, string>>();

/** Reads the types of all columns, once in a process. */
export async function loadColumnTypes(db: Pick<pg.Pool, 'query'>): Promise<void> {
  if (types.size > 0) return;
  const { rows } = await db.query<{ table: string; columns: string[]; types: string[] }>(`
    select relname as table, array_agg(attname::text) as columns, array_agg(format_type(atttypid, atttypmod)) as types
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
    group by relname`);
  for (const { table, columns, types: found } of rows)
    types.set(table, new Map(columns.map((column, index) => [column, found[index] ?? ''])));
}

/** The types of these columns; null if a later migration added one. */
export function typesOf(table: string, columns: readonly string[]): string[] | null {
  const found = columns.flatMap((column) => types.get(table)?.get(column) ?? []);
  return found.length === columns.length ? found : null;
}
