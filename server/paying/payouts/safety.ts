// Whether a program may pay at all. A restored database, or one that lost its last commits in a failover, may not
// know what a rail has paid already; after a step of the clock nobody knows what has matured. Then nothing is
// dispatched or sent until the ledger was compared with the rails' (reconcile.ts).
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { readDatabaseIdentity } from '../../platform/db/database-identity.ts';
import { largestStepMs } from '../../platform/lib/clock.ts';
import { ApiError } from '../../platform/lib/errors.ts';

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
  const mark = await readDatabaseIdentity(tx);
  const safety = await tx.db.selectFrom('payoutSafety').selectAll().where('programId', '=', programId).forUpdate().executeTakeFirst();
  if (safety?.databaseMark !== mark) {
    await lock(tx, programId, restored);
    return restored;
  }
  const reason = safety.lockReason ?? (await findClockFault(tx, safety));
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
    isRestored: safety?.databaseMark !== (await readDatabaseIdentity(tx)),
    lockedAt: safety?.lockedAt ?? null,
    lockReason: safety?.lockReason ?? null,
  };
}

/** Stops all paying of the program, for a reason that people read. The mark stays as it was. */
export async function lock(tx: Tx, programId: string, reason: string): Promise<void> {
  const now = tx.clock.now();
  await sql`insert into payout_safety (program_id, database_mark, seen_at, locked_at, lock_reason, clock_accepted_at)
      values (${programId}, 'unknown', ${now}, ${now}, ${reason}, ${now})
    on conflict (program_id) do update set lock_reason = excluded.lock_reason, locked_at = case
      when payout_safety.lock_reason = excluded.lock_reason then payout_safety.locked_at else excluded.locked_at end`.execute(tx.db);
}

/**
 * The ledger agrees with the providers again: this database is the one that counts, and the clock is accepted as it is.
 * Returns null, or why payouts stay locked: as long as two clocks differ, it isn't known which one is right.
 */
export async function unlock(tx: Tx, programId: string): Promise<string | null> {
  const reason = await findClockDifference(tx);
  if (reason) return reason;
  const now = tx.clock.now();
  const mark = await readDatabaseIdentity(tx);
  await sql`insert into payout_safety (program_id, database_mark, seen_at, reconciled_at, clock_accepted_at)
      values (${programId}, ${mark}, ${now}, ${now}, ${now})
    on conflict (program_id) do update set database_mark = excluded.database_mark, seen_at = excluded.seen_at,
      reconciled_at = excluded.reconciled_at, clock_accepted_at = excluded.clock_accepted_at, locked_at = null, lock_reason = null`.execute(
    tx.db,
  );
  return null;
}

/**
 * A wrong clock would release commissions before they mature. Steps that came before the last unlock were accepted by it:
 * the clock counts from there, in every process. Fixed clocks, as in tests, have no faults.
 */
async function findClockFault(tx: Tx, { seenAt, clockAcceptedAt }: { seenAt: Date; clockAcceptedAt: Date }): Promise<string | null> {
  if (!tx.clock.lastStep) return null;
  const step = tx.clock.lastStep();
  if (step && step.at > clockAcceptedAt) return 'the clock of the server was changed by more than five minutes';
  if (seenAt.getTime() - tx.clock.now().getTime() > largestStepMs) return 'the clock of the server shows an earlier time than before';
  return findClockDifference(tx);
}

async function findClockDifference({ db, clock }: Tx): Promise<string | null> {
  if (!clock.lastStep) return null;
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const differenceMs = Math.abs(clock.now().getTime() - (rows[0]?.now.getTime() ?? Number.NaN));
  return differenceMs <= largestStepMs ? null : 'the clocks of the server and the database differ by more than five minutes';
}
