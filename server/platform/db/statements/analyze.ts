// Statistics for a command that writes many rows of one program. The database gathers them on its own, but later: until then it
// expects a few rows of the program, and reads all of them for each statement.
import { sql } from 'kysely';
import type { Tx } from '../../../context.ts';
import type { DB } from '../schema.gen.ts';

/** Gathers statistics of tables. `sample`: of 300 times as many rows of each. */
export async function analyzeTables(tx: Pick<Tx, 'db'>, tables: readonly (keyof DB & string)[], sample: number): Promise<void> {
  // Only the owner of a table may; the role of the service is not.
  await sql`set local role none`.execute(tx.db);
  await sql`select set_config('default_statistics_target', ${String(sample)}, true)`.execute(tx.db);
  await sql`analyze ${sql.join(tables.map((table) => sql.table(table)))}`.execute(tx.db);
}
