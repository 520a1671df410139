import { sql } from 'kysely';
import type { Context } from '../../context.ts';

/**
 * Names this database: the cluster, its timeline (which a failover or a restore to a point in time moves on), the
 * database in it and one of its tables (which a restored dump makes anew). Whoever kept another mark stands in a
 * database that came from somewhere else, and may have lost what happened last.
 */
export async function readDatabaseIdentity(ctx: Pick<Context, 'db'>): Promise<string> {
  const { rows } = await sql<{ mark: string }>`
    select concat_ws('.', (pg_control_system()).system_identifier, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
      (select oid from pg_database where datname = current_database()), 'payouts'::regclass::oid) as mark`.execute(ctx.db);
  return rows[0]?.mark ?? '';
}
