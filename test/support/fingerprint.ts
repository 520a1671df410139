// One number for the rows of every table, so that a test can show that nothing was written.
import type pg from 'pg';

/** What requests change without writing anything: when a key or session was last used. */
const changedByReading = new Set(['api_keys', 'sessions', 'users']);

let statement: string | undefined;

/** The number of rows of each table, with a hash of their contents. */
export async function readFingerprint(pool: pg.Pool): Promise<Map<string, string>> {
  statement ??= await buildStatement(pool);
  const { rows } = await pool.query<{ name: string; print: string }>(statement);
  return new Map(rows.map(({ name, print }) => [name, print]));
}

/** The tables whose rows differ. */
export function findChanged(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...after].filter(([name, print]) => before.get(name) !== print).map(([name]) => name);
}

async function buildStatement(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const hash = (name: string) => (changedByReading.has(name) ? `''` : `coalesce(sum(hashtextextended(row::text, 0)::numeric), 0)`);
  const parts = rows.map(({ name }) => `select '${name}' as name, count(*) || ' ' || ${hash(name)} as print from "${name}" as row`);
  return parts.join(' union all ');
}
