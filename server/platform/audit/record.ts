// Records changes in the audit log: the actor, the action, and the changed fields before and after.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import type { Actor } from '../lib/actor.ts';

type Change = {
  programId: string;
  actor: Actor;
  action: `${string}.${string}`;
  subjectId: string;
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown>;
};

/** Adds a change to the audit log and returns its id. Never pass secrets or payout details. */
export async function recordChange(tx: Tx, { programId, actor, action, subjectId, before, after }: Change): Promise<string> {
  const id = tx.ids.uuid();
  await tx.db
    .insertInto('auditLog')
    .values({
      programId,
      id,
      actorKind: actor.kind,
      actorId: actor.id,
      action,
      subjectId,
      before: before ? JSON.stringify(before) : null,
      after: after ? JSON.stringify(after) : null,
      createdAt: tx.clock.now(),
    })
    .execute();
  return id;
}

type Origin = Pick<Change, 'programId' | 'actor'>;
type ActionOnSubject = Pick<Change, 'action' | 'subjectId' | 'before' | 'after'>;

/** Like `recordChange`, for many changes in one statement. */
export async function recordChanges(tx: Tx, { programId, actor }: Origin, changes: readonly ActionOnSubject[]): Promise<void> {
  if (changes.length === 0) return;
  const json = (pick: (change: ActionOnSubject) => object | null | undefined) =>
    changes.map((change) => JSON.stringify(pick(change)) ?? null);
  await sql`
    insert into audit_log (program_id, id, actor_kind, actor_id, action, subject_id, before, after, created_at)
    select ${programId}, id, ${actor.kind}, ${actor.id}, action, subject_id, before, after, ${tx.clock.now()}
    from unnest(
      ${changes.map(() => tx.ids.uuid())}::uuid[], ${changes.map(({ action }) => action)}::text[],
      ${changes.map(({ subjectId }) => subjectId)}::uuid[], ${json(({ before }) => before)}::jsonb[], ${json(({ after }) => after)}::jsonb[]
    ) as change (id, action, subject_id, before, after)`.execute(tx.db);
}
