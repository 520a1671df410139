// Whether the database can serve requests that write. A full disk or a standby answers reads as usual.
import { sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import { sqlState } from './statements/sql-state.ts';

const diskFull = '53100';

export type DatabaseState = {
  /** What keeps the database from writing, as a sentence; null if nothing does. */
  fault: string | null;
  /** Which part of a cluster doesn't respond, as a sentence; null if all do. The programs on other nodes are served. */
  degradation: string | null;
};

/** Tries to write to the database, and reaches each node of a cluster. Unexpected errors are thrown. */
export async function probeDatabase({ db }: Pick<Context, 'db'>): Promise<DatabaseState> {
  try {
    return await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ isReadOnly: boolean; isCluster: boolean }>`
        select current_setting('transaction_read_only') = 'on' as "isReadOnly", set_config('work_mem', '64kB', true),
          exists (select from pg_extension where extname = 'citus') as "isCluster"`.execute(tx);
      if (rows[0]?.isReadOnly) return { fault: 'The database is read-only.', degradation: null };
      // More than work_mem, so PostgreSQL writes it to a temporary file: a write to the disk that changes no table.
      await sql`select count(*) from generate_series(1, 100000)`.execute(tx);
      return { fault: null, degradation: rows[0]?.isCluster ? await describeNodes(tx) : null };
    });
  } catch (error) {
    if (sqlState(error) === diskFull) return { fault: 'The disk of the database is full.', degradation: null };
    throw error;
  }
}

async function describeNodes(db: Tx['db']): Promise<string | null> {
  const { rows } = await sql<{ lost: number; all: number }>`
    select (count(*) filter (where not success))::int as lost, count(*)::int as all from run_command_on_all_nodes('select 1')`.execute(db);
  const { lost = 0, all = 0 } = rows[0] ?? {};
  return lost === 0 ? null : `${lost} of ${all} nodes of the database can't be reached.`;
}
