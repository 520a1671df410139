// Which tables a cluster distributes by program.
import type pg from 'pg';
import { coordinatorTables, referenceTables } from '../../../server/platform/db/cluster/shared-tables.ts';

/** Whether the table has rows of one program each, and is distributed by `program_id`. */
export const isTenantTable = (name: string): boolean => !referenceTables.has(name) && !coordinatorTables.has(name);

/** The tables that are distributed by `program_id`. */
export async function readTenantTables(pool: pg.Pool): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ name: string }>(`
    select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'program_id'
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`);
  return new Set(rows.map(({ name }) => name).filter(isTenantTable));
}
