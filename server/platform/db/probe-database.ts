// Whether the database can serve requests that write. A full disk or a standby answers reads as usual.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { sqlState } from './statements/sql-state.ts';

const diskFull = '53100';

/** What keeps the database from writing, as a sentence; null if nothing does. Other errors are thrown. */
export async function probeDatabase({ db }: Pick<Context, 'db'>): Promise<string | null> {
  try {
    return await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ isReadOnly: boolean }>`
        select current_setting('transaction_read_only') = 'on' as "isReadOnly", set_config('work_mem', '64kB', true)`.execute(tx);
      if (rows[0]?.isReadOnly) return 'The database is read-only.';
      // More than work_mem, so PostgreSQL writes it to a temporary file: a write to the disk that changes no table.
      await sql`select count(*) from generate_series(1, 100000)`.execute(tx);
      return null;
    });
  } catch (error) {
    if (sqlState(error) === diskFull) return 'The disk of the database is full.';
    throw error;
  }
}
