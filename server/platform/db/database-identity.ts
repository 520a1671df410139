import { sql } from 'kysely';
import type { Context } from '../../context.ts';

/**
 * Identifies this database by its cluster, its timeline (which changes after a failover or point-in-time recovery), its
 * oid and the oid of a table (which changes when a dump is restored). If it differs from a stored identity, the database
 * was restored and may lack the most recent changes.
 */
export async function readDatabaseIdentity(ctx: Pick<Context, 'db'>): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    select concat_ws('.', (pg_control_system()).system_identifier, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
      (select oid from pg_database where datname = current_database()), 'payouts'::regclass::oid) as identity`.execute(ctx.db);
  return rows[0]?.identity ?? '';
}
