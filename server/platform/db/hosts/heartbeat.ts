// Proves after a failover that nothing was lost. While every commit waits for a standby, each process counts up a number
// in the database. A promoted standby that has the last number a process saw has every commit before it, and the commits
// after it were acknowledged only when the standby had them, too.
import { sql } from 'kysely';
import type { Context, DatabaseBeat } from '../../../context.ts';
import { repeat } from '../../lib/concurrency/repeat.ts';
import { isLaterTimeline, presentIdentity } from '../database-identity.ts';

const intervalMs = 1000;

/** An older one proves nothing: commits may have stopped waiting for the standby since. */
const validMs = 60_000;

export type Heartbeat = {
  /** The last number that the database acknowledged; null while commits don't wait for a standby. */
  last(): DatabaseBeat | null;
  stop(): Promise<void>;
};

/** Starts counting. Never throws: without the database, the last number stays. */
export function startHeartbeat(ctx: Pick<Context, 'db' | 'clock' | 'log'>): Heartbeat {
  let last: DatabaseBeat | null = null;
  const beat = async () => {
    await continueAfterFailover(ctx, last);
    last = await writeBeat(ctx);
  };
  return { last: () => last, stop: repeat(intervalMs, () => beat().catch(() => undefined)) };
}

/** Counts up if commits wait until a standby has written them to its disk; null otherwise. */
async function writeBeat({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<DatabaseBeat | null> {
  const at = clock.now();
  const { rows } = await sql<{ identity: string; beat: number }>`
    insert into database_heartbeats (database_identity, beat, beaten_at)
    select ${presentIdentity}, 1, ${at}
    where current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') in ('on', 'remote_apply')
    on conflict (database_identity) do update set beat = database_heartbeats.beat + 1, beaten_at = excluded.beaten_at
    returning database_identity as identity, beat`.execute(db);
  const [row] = rows;
  return row ? { ...row, at } : null;
}

/**
 * Records that this database continues the one of the last heartbeat, if it is its promoted standby and has that heartbeat.
 * Payouts are then not locked.
 */
export async function continueAfterFailover(
  { db: own, allProgramsDb: db = own, clock, log }: Pick<Context, 'db' | 'allProgramsDb' | 'clock' | 'log'>,
  last: DatabaseBeat | null,
): Promise<void> {
  if (last === null || clock.now().getTime() - last.at.getTime() > validMs) return;
  const { rows } = await sql<{ present: string; beat: number | null }>`
    select ${presentIdentity} as present, (select beat from database_heartbeats where database_identity = ${last.identity}) as beat`.execute(
    db,
  );
  const { present = '', beat = null } = rows[0] ?? {};
  if (beat === null || beat < last.beat || !isLaterTimeline(last.identity, present)) return;
  const { rows: accepted } = await sql`
    insert into database_identities (database_identity, continues, accepted_at)
    select ${present}, coalesce((select continues from database_identities where database_identity = ${last.identity}), ${last.identity}),
      ${clock.now()}
    on conflict do nothing returning 1`.execute(db);
  if (accepted.length > 0) log.warn({ from: last.identity, to: present }, 'a standby took over, and has every acknowledged commit');
}
