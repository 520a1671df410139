// Marks a program for deletion. From then on it is inaccessible to keys, members, affiliates and visitors, but nothing is
// lost until the grace period has ended.
import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { InvalidState, NotFound } from '../../../platform/lib/errors.ts';
import { notifyDeletionJob } from './notify-job.ts';
import { describeObstacle, findObstacles, mustKeepRecords } from './obstacles.ts';

export const graceDays = 30;

type Request = { programId: string; name: string; hasRecords: boolean; actor: Actor };

/**
 * Marks the program, whose name must be repeated, and returns when it is deleted; its owners are notified by email. Rejected while money is owed or in transit.
 * Of a program that paid money, `hasRecords` confirms that its records were exported: the law requires them for years.
 */
export async function requestDeletion(tx: Tx, { programId, name, hasRecords, actor }: Request): Promise<Date> {
  const programs = tx.db.selectFrom('programs').select(['name', 'deleteAfter']).where('id', '=', programId);
  const program = await programs.forUpdate().executeTakeFirst();
  if (!program) throw new NotFound();
  if (program.name !== name) throw new InvalidState('name_mismatch', `The name must be repeated exactly: ${program.name}`);
  if (program.deleteAfter) return program.deleteAfter;
  const { currency, obstacles } = await findObstacles(tx, programId);
  const [obstacle] = obstacles;
  if (obstacle) throw new InvalidState('program_owes_money', describeObstacle(obstacle, currency));
  if (!hasRecords && (await mustKeepRecords(tx, programId)))
    throw new InvalidState('records_not_kept', 'This program has paid affiliates. Export its ledger and payouts first, and confirm it.');
  const now = systemTime(tx);
  const deleteAfter = new Date(now.getTime() + graceDays * 86_400_000);
  await tx.db.updateTable('programs').set({ deletionRequestedAt: now, deleteAfter }).where('id', '=', programId).execute();
  const after = { deleteAfter: deleteAfter.toISOString() };
  const changeId = await recordChange(tx, { programId, actor, action: 'program.deletion_requested', subjectId: programId, after });
  await tx.jobs.enqueue(tx, notifyDeletionJob, { programId, changeId, actor: { kind: actor.kind, id: actor.id } });
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
