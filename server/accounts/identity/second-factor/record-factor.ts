// What follows from a new or removed second factor. The first one and a removed one count for money after a day, so that
// the owners, who are notified, can act on it. The operator who issued a link of the command line is trusted.
import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import type { UserPrincipal } from '../../../platform/http/declaration/principal.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { jobName } from '../../../platform/queue/job.ts';
import { handlesMoney } from '../members/find-member.ts';
import { listMemberships } from '../members/list-programs.ts';
import type { UsedFactor } from '../sessions/session.ts';

export type FactorEvent = 'added' | 'removed';

/** Notifies the owners of a program (emails/kinds/second-factor-changed.ts). */
export const notifyFactorChangeJob = jobName<{ programId: string; changeId: string; userId: string; event: FactorEvent; waits: boolean }>(
  'emails.secondFactorChanged',
);

/** Call it after the factor was stored. The session has used it, because adding it proved it. */
export async function recordFactorAdded(tx: Tx, actor: UserPrincipal, usedFactor: UsedFactor): Promise<void> {
  await lockUser(tx, actor.id);
  await tx.db
    .updateTable('sessions')
    .set({ secondFactor: usedFactor, secondFactorAt: systemTime(tx) })
    .where('id', '=', actor.sessionId)
    .execute();
  if ((await countFactors(tx, actor.id)) === 1) await startWaiting(tx, actor, 'added');
}

/** Call it after the factor was deleted. Other sessions may have used it, so they have to use another one. */
export async function recordFactorRemoved(tx: Tx, actor: UserPrincipal): Promise<void> {
  await lockUser(tx, actor.id);
  await tx.db
    .updateTable('sessions')
    .set({ secondFactor: null, secondFactorAt: null })
    .where('userId', '=', actor.id)
    .where('id', '<>', actor.sessionId)
    .execute();
  await startWaiting(tx, actor, 'removed');
}

async function startWaiting(tx: Tx, { id: userId, isFromCommand }: UserPrincipal, event: FactorEvent): Promise<void> {
  const waits = !isFromCommand;
  if (waits)
    await tx.db
      .updateTable('users')
      .set({ secondFactorChangedAt: systemTime(tx) })
      .where('id', '=', userId)
      .execute();
  for (const { id: programId, held } of await listMemberships(tx, userId)) {
    if (!handlesMoney(held)) continue;
    const action = `member.second_factor_${event}` as const;
    const changeId = await recordChange(tx, { programId, actor: { kind: 'user', id: userId }, action, subjectId: userId });
    await tx.jobs.enqueue(tx, notifyFactorChangeJob, { programId, changeId, userId, event, waits });
  }
}

/** Of two first factors that are added at the same time, one is the second. */
async function lockUser({ db }: Tx, userId: string): Promise<void> {
  await db.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().executeTakeFirstOrThrow();
}

async function countFactors({ db }: Tx, userId: string): Promise<number> {
  const passkeys = await db.selectFrom('passkeys').select('id').where('userId', '=', userId).execute();
  const apps = db.selectFrom('secondFactors').select('userId').where('userId', '=', userId).where('confirmedAt', 'is not', null);
  return passkeys.length + (await apps.execute()).length;
}
