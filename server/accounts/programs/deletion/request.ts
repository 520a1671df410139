// Marks a program for deletion. From then on it is inaccessible to keys, members, affiliates and visitors, but nothing is
// lost until the grace period has ended.
import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { InvalidState, NotFound } from '../../../platform/lib/errors.ts';

export const graceDays = 30;

type Request = { programId: string; name: string; hasRecords: boolean; actor: Actor };

/**
 * Marks the program, whose name must be repeated, and returns when it is deleted. Rejected while money is owed or in transit.
 * Of a program that paid money, `hasRecords` confirms that its records were exported: the law requires them for years.
 */
export async function requestDeletion(tx: Tx, { programId, name, hasRecords, actor }: Request): Promise<Date> {
  const programs = tx.db.selectFrom('programs').select(['name', 'mode', 'deleteAfter']).where('id', '=', programId);
  const program = await programs.forUpdate().executeTakeFirst();
  if (!program) throw new NotFound();
  if (program.name !== name) throw new InvalidState('name_mismatch', `The name must be repeated exactly: ${program.name}`);
  if (program.deleteAfter) return program.deleteAfter;
  const obstacle = await findObstacle(tx, programId);
  if (obstacle !== null) throw new InvalidState('program_owes_money', obstacle);
  if (!hasRecords && program.mode === 'live' && (await hasPaid(tx, programId)))
    throw new InvalidState('records_not_kept', 'This program has paid affiliates. Export its ledger and payouts first, and confirm it.');
  const now = tx.clock.now();
  const deleteAfter = new Date(now.getTime() + graceDays * 86_400_000);
  await tx.db.updateTable('programs').set({ deletionRequestedAt: now, deleteAfter }).where('id', '=', programId).execute();
  const after = { deleteAfter: deleteAfter.toISOString() };
  await recordChange(tx, { programId, actor, action: 'program.deletion_requested', subjectId: programId, after });
  return deleteAfter;
}

/** Makes the program accessible again. False if it was not marked. */
export async function cancelDeletion(tx: Tx, { programId, actor }: Pick<Request, 'programId' | 'actor'>): Promise<boolean> {
  const programs = tx.db.updateTable('programs').set({ deletionRequestedAt: null, deleteAfter: null }).where('id', '=', programId);
  const { numUpdatedRows } = await programs.where('deleteAfter', 'is not', null).executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await recordChange(tx, { programId, actor, action: 'program.deletion_cancelled', subjectId: programId });
  return true;
}

/** Why the program can't be deleted, or null. Test programs move no real money. */
export async function findObstacle({ db }: Pick<Context, 'db'>, programId: string): Promise<string | null> {
  const { rows } = await sql<{ isLive: boolean; isOpen: boolean; isOwed: boolean; isLocked: boolean }>`
    select mode = 'live' as is_live,
      exists (select from payouts where program_id = ${programId} and status in ('queued', 'sending', 'sent', 'unknown')) as is_open,
      exists (
        select from ledger_balances where program_id = ${programId}
          and (pending_cents > 0 or available_cents > 0 or in_transit_cents <> 0)) as is_owed,
      exists (select from payout_safety where program_id = ${programId} and locked_at is not null) as is_locked
    from programs where id = ${programId}`.execute(db);
  const [found] = rows;
  if (!found?.isLive) return null;
  if (found.isOpen) return 'Payouts are in progress. Wait until they are paid, or cancel them.';
  if (found.isOwed) return 'Affiliates are owed money. Pay them, or adjust their commissions, before deleting the program.';
  return found.isLocked ? 'Payouts are locked. Reconcile them before deleting the program.' : null;
}

async function hasPaid({ db }: Tx, programId: string): Promise<boolean> {
  const paid = db.selectFrom('payouts').select('id').where('programId', '=', programId).where('status', '=', 'paid').limit(1);
  return (await paid.executeTakeFirst()) !== undefined;
}
