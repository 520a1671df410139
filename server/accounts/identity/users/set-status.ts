import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { listProgramIds } from '../members/list-programs.ts';
import { endSessions } from '../sessions/session.ts';

type Change = { userId: string; status: 'active' | 'disabled'; actor: Actor };

/** Disables a user, which ends their sessions immediately, or enables them again. False if nothing changed. */
export async function setUserStatus(tx: Tx, { userId, status, actor }: Change): Promise<boolean> {
  const changed = await tx.db
    .updateTable('users')
    .set({ status })
    .where('id', '=', userId)
    .where('status', '<>', status)
    .returning('id')
    .executeTakeFirst();
  if (!changed) return false;
  if (status === 'disabled') await endSessions(tx, userId);
  const action = status === 'disabled' ? 'user.disabled' : 'user.enabled';
  for (const programId of await listProgramIds(tx, userId)) await recordChange(tx, { programId, actor, action, subjectId: userId });
  return true;
}
