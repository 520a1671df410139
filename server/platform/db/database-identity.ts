// Identifies a database, to notice that it was restored and may lack the most recent changes.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { countRestores } from './cluster/node-restores.ts';

/**
 * The cluster of this database, its timeline (which changes after a failover or point-in-time recovery), its oid and the oid
 * of a table (which changes when a dump is restored).
 */
export const presentIdentity = sql<string>`concat_ws('.', (pg_control_system()).system_identifier,
  substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), (select oid from pg_database where datname = current_database()),
  'payouts'::regclass::oid)`;

/**
 * The identity of this database. After a failover that lost nothing (hosts/heartbeat.ts) it stays the same; otherwise, and
 * after a restore, it differs from a stored one. Of a cluster, it is that of the coordinator; with `programId`, also that of the
 * node that stores the program.
 */
export async function readDatabaseIdentity(ctx: Pick<Context, 'db' | 'allProgramsDb'>, programId?: string): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    select coalesce(continues, present) as identity from (select ${presentIdentity} as present) as here
    left join database_identities on database_identity = present`.execute(ctx.allProgramsDb ?? ctx.db);
  const identity = rows[0]?.identity ?? '';
  return programId === undefined ? identity : identityAfter(identity, await countRestores(ctx, programId));
}

/** The identity for a program whose node was restored this often. */
export function identityAfter(identity: string, restores: number): string {
  return restores === 0 ? identity : `${identity}/${restores}`;
}

/** Whether the second is the first after a failover or a recovery: only their timelines differ. */
export function isLaterTimeline(before: string, after: string): boolean {
  const [first, second] = [before.split('.'), after.split('.')];
  return first.length === 4 && second.length === 4 && [0, 2, 3].every((part) => first[part] === second[part]) && first[1] !== second[1];
}
