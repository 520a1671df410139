// Locks the payouts of a program when the database may not know what was paid: after a restore, a failover that lost
// commits, a change of the clock, or a report of the provider that contradicts it. Nothing is dispatched or sent until the
// payouts are reconciled (reconcile/).
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import { readDatabaseIdentity } from '../../platform/db/database-identity.ts';
import { continueAfterFailover } from '../../platform/db/hosts/heartbeat.ts';
import { largestStepMs, systemTime } from '../../platform/lib/clock.ts';
import { ApiError } from '../../platform/lib/errors.ts';

export const LockReason = z
  .enum([
    'database_restored',
    'clock_changed',
    'clock_set_back',
    'clocks_differ',
    'open_discrepancies',
    'provider_amount_mismatch',
    'provider_unknown_payout',
  ])
  .describe(
    '`database_restored`: this database was restored from a backup. `clock_changed`, `clock_set_back`: the server clock was ' +
      'changed by more than five minutes. `clocks_differ`: the server and the database clock differ by more than five minutes. ' +
      '`open_discrepancies`: a discrepancy is open. `provider_amount_mismatch`, `provider_unknown_payout`: the provider reported a ' +
      'different amount, or a payout that is not in the database.',
  )
  .meta({ id: 'PayoutLockReason' });
export type LockReason = z.infer<typeof LockReason>;

const explanations: Record<LockReason, string> = {
  database_restored: 'this database was restored from a backup',
  clock_changed: 'the server clock was changed by more than five minutes',
  clock_set_back: 'the server clock shows an earlier time than before',
  clocks_differ: 'the clocks of the server and the database differ by more than five minutes',
  open_discrepancies: "the payouts differ from the provider's records",
  provider_amount_mismatch: 'the provider reported another amount than the payout has',
  provider_unknown_payout: 'the provider reported a payout that is not in the database',
};

/** A sentence that says why payouts are locked. */
export function explainLock(reason: LockReason): string {
  return `Payouts are locked: ${explanations[reason]}.`;
}

/** 503 `reconciliation_required`, as endpoints declare it. */
export const payoutsLocked = {
  status: 503,
  code: 'reconciliation_required',
  when: 'Payouts are locked until they are reconciled.',
  facts: z.object({ lockReason: LockReason }),
} as const;

/** 503, because the caller did nothing wrong and nothing was decided. */
export class PayoutsLocked extends ApiError {
  constructor(lockReason: LockReason) {
    super(503, payoutsLocked.code, `Payouts are locked: ${explanations[lockReason]}. Reconcile them first (POST …/payouts/reconcile).`, {
      retryAfterSeconds: 300,
      facts: { lockReason },
    });
  }
}

/** Returns why the payouts of the program are locked, or null. The transaction must commit, because it stores the lock. */
export async function findLock(tx: Tx, programId: string): Promise<LockReason | null> {
  const now = systemTime(tx);
  // A failover since the last heartbeat of this process must not lock payouts before the next one.
  await continueAfterFailover(tx, tx.heartbeat?.last() ?? null);
  const mark = await readDatabaseIdentity(tx, programId);
  const safety = await tx.db.selectFrom('payoutSafety').selectAll().where('programId', '=', programId).forUpdate().executeTakeFirst();
  if (safety?.databaseIdentity !== mark) {
    await lockProgram(tx, programId, 'database_restored');
    return 'database_restored';
  }
  const reason = parseReason(safety.lockReason) ?? (await findClockFault(tx, safety));
  const lockedAt = reason ? (safety.lockedAt ?? now) : null;
  const seenAt = reason ? safety.seenAt : now;
  await tx.db.updateTable('payoutSafety').set({ lockReason: reason, lockedAt, seenAt }).where('programId', '=', programId).execute();
  return reason;
}

export type LockState = { isRestored: boolean; lockedAt: Date | null; lockReason: LockReason | null };

/** The state of the lock, without changing it. */
export async function readLock(tx: Tx, programId: string): Promise<LockState> {
  const rows = tx.db.selectFrom('payoutSafety').selectAll().where('programId', '=', programId);
  const safety = await rows.forUpdate().executeTakeFirst();
  return {
    isRestored: safety?.databaseIdentity !== (await readDatabaseIdentity(tx, programId)),
    lockedAt: safety?.lockedAt ?? null,
    lockReason: parseReason(safety?.lockReason ?? null),
  };
}

/** The lock as it was last stored, for display. `findLock` decides. */
export async function findStoredLock(ctx: Pick<Context, 'db' | 'allProgramsDb'>, programId: string) {
  const rows = ctx.db.selectFrom('payoutSafety').selectAll().where('programId', '=', programId);
  const safety = await rows.executeTakeFirst();
  const isRestored = safety?.databaseIdentity !== (await readDatabaseIdentity(ctx, programId));
  const { lockedAt = null, reconciledAt = null } = safety ?? {};
  return { lockReason: isRestored ? ('database_restored' as const) : parseReason(safety?.lockReason ?? null), lockedAt, reconciledAt };
}

/** Locks all payouts of the program. The database mark does not change. */
export async function lockProgram(tx: Tx, programId: string, reason: LockReason): Promise<void> {
  const now = systemTime(tx);
  await sql`insert into payout_safety (program_id, database_identity, seen_at, locked_at, lock_reason, clock_accepted_at)
      values (${programId}, 'unknown', ${now}, ${now}, ${reason}, ${now})
    on conflict (program_id) do update set lock_reason = excluded.lock_reason, locked_at = case
      when payout_safety.lock_reason = excluded.lock_reason then payout_safety.locked_at else excluded.locked_at end`.execute(tx.db);
}

/**
 * Accepts this database and its clock after reconciling. Returns null, or why payouts stay locked: while two clocks differ,
 * it isn't known which one is right.
 */
export async function unlockProgram(tx: Tx, programId: string): Promise<LockReason | null> {
  if (await doClocksDiffer(tx)) return 'clocks_differ';
  const now = systemTime(tx);
  const mark = await readDatabaseIdentity(tx, programId);
  await sql`insert into payout_safety (program_id, database_identity, seen_at, reconciled_at, clock_accepted_at)
      values (${programId}, ${mark}, ${now}, ${now}, ${now})
    on conflict (program_id) do update set database_identity = excluded.database_identity, seen_at = excluded.seen_at,
      reconciled_at = excluded.reconciled_at, clock_accepted_at = excluded.clock_accepted_at, locked_at = null, lock_reason = null`.execute(
    tx.db,
  );
  return null;
}

function parseReason(stored: string | null): LockReason | null {
  return LockReason.nullable().parse(stored);
}

/**
 * A wrong clock would pay commissions before they mature. Clock changes before the last unlock were accepted by it, in every
 * process. Fixed clocks, as in tests, have no faults.
 */
async function findClockFault(tx: Tx, { seenAt, clockAcceptedAt }: { seenAt: Date; clockAcceptedAt: Date }): Promise<LockReason | null> {
  const { lastStep } = tx.clock.system ?? tx.clock;
  if (!lastStep) return null;
  const step = lastStep();
  if (step && step.at > clockAcceptedAt) return 'clock_changed';
  if (seenAt.getTime() - systemTime(tx).getTime() > largestStepMs) return 'clock_set_back';
  return (await doClocksDiffer(tx)) ? 'clocks_differ' : null;
}

async function doClocksDiffer({ db, clock }: Tx): Promise<boolean> {
  if (!(clock.system ?? clock).lastStep) return false;
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const differenceMs = Math.abs(systemTime({ clock }).getTime() - (rows[0]?.now.getTime() ?? Number.NaN));
  return !(differenceMs <= largestStepMs);
}
