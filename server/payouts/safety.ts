// Whether a program may pay at all. A restored database, or one that lost its last commits in a failover, may not
// know what a rail has paid already; after a step of the clock nobody knows what has matured. Then nothing is
// dispatched or sent until the books were compared with the rails' (reconcile.ts).
import { sql } from 'kysely';
import type { Tx } from '../context.ts';
import { databaseMark } from '../db/mark.ts';
import { ApiError } from '../lib/errors.ts';

const mostClockStepMs = 5 * 60_000;
const restored = 'the database is a restored one';
/** How reasons begin that a rail gave by itself. */
export const told = 'a rail told of';

/** 503: not the caller's fault, and not over by itself. */
export class DispatchLocked extends ApiError {
  constructor(reason: string) {
    super(503, 'reconciliation_required', `Payouts are locked: ${reason}. Reconcile them first (POST …/payouts/reconcile).`, {
      retryAfterSeconds: 300,
    });
  }
}

/** Notes that the program pays now. Returns why it must not, and keeps the lock; the transaction has to commit for that. */
export async function findLock(tx: Tx, programId: string): Promise<string | null> {
  const now = tx.clock.now();
  const mark = await databaseMark(tx);
  const safety = await tx.db.selectFrom('payoutSafety').selectAll().where('programId', '=', programId).forUpdate().executeTakeFirst();
  if (safety?.databaseMark !== mark) {
    await lock(tx, programId, restored);
    return restored;
  }
  const reason = safety.lockReason ?? (await clockFault(tx, safety.seenAt));
  const lockedAt = reason ? (safety.lockedAt ?? now) : null;
  await tx.db
    .updateTable('payoutSafety')
    .set({ lockReason: reason, lockedAt, ...(!reason && { seenAt: now }) })
    .where('programId', '=', programId)
    .execute();
  return reason;
}

export type Standing = { isRestored: boolean; lockedAt: Date | null; lockReason: string | null };

/** How the program stands, without changing it. */
export async function readLock(tx: Tx, programId: string): Promise<Standing> {
  const rows = tx.db.selectFrom('payoutSafety').selectAll().where('programId', '=', programId);
  const safety = await rows.forUpdate().executeTakeFirst();
  return {
    isRestored: safety?.databaseMark !== (await databaseMark(tx)),
    lockedAt: safety?.lockedAt ?? null,
    lockReason: safety?.lockReason ?? null,
  };
}

/** Stops all paying of the program, for a reason that people read. The mark stays as it was. */
export async function lock(tx: Tx, programId: string, reason: string): Promise<void> {
  const now = tx.clock.now();
  await sql`insert into payout_safety (program_id, database_mark, seen_at, locked_at, lock_reason)
      values (${programId}, 'unknown', ${now}, ${now}, ${reason})
    on conflict (program_id) do update set lock_reason = excluded.lock_reason, locked_at = case
      when payout_safety.lock_reason = excluded.lock_reason then payout_safety.locked_at else excluded.locked_at end`.execute(tx.db);
}

/** The books agree with the rails again: this database is the one that counts. */
export async function unlock(tx: Tx, programId: string): Promise<void> {
  const now = tx.clock.now();
  const mark = await databaseMark(tx);
  await sql`insert into payout_safety (program_id, database_mark, seen_at, reconciled_at) values (${programId}, ${mark}, ${now}, ${now})
    on conflict (program_id) do update set database_mark = excluded.database_mark, seen_at = excluded.seen_at,
      reconciled_at = excluded.reconciled_at, locked_at = null, lock_reason = null`.execute(tx.db);
}

/** A clock that tells no real time, as a test's, has no faults. */
async function clockFault(tx: Tx, seenAt: Date): Promise<string | null> {
  if (!tx.clock.stepMs) return null;
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx.db);
  const ours = tx.clock.now().getTime();
  const apart = Math.abs(ours - (rows[0]?.now ?? seenAt).getTime());
  const backBy = seenAt.getTime() - ours;
  const isOff = apart > mostClockStepMs || backBy > mostClockStepMs || Math.abs(tx.clock.stepMs()) > mostClockStepMs;
  return isOff ? 'a clock was set by more than five minutes' : null;
}
