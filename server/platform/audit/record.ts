// Records changes in the audit log: the actor, where the request came from, the action, and the changed fields before and
// after. Email addresses are masked, so that the log can be exported and never has to be rewritten.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import type { Actor } from '../lib/actor.ts';
import { systemTime } from '../lib/clock.ts';
import type { Origin } from '../lib/origin.ts';
import type { AuditAction } from './actions.ts';
import { maskFields } from './mask.ts';

type Fields = Record<string, unknown> | null | undefined;
type ActionOnSubject = { action: AuditAction; subjectId: string; before?: Fields; after?: Fields };
type Change = ActionOnSubject & { programId: string; actor: Actor };

/** Adds a change to the audit log and returns its id. Never pass secrets or payout details. */
export async function recordChange(tx: Tx, { programId, actor, ...change }: Change): Promise<string> {
  const [id = ''] = await insertEntries(tx, actor, [{ programId, ...change }]);
  return id;
}

/** Like `recordChange`, for many changes of one program in one statement. Returns their ids in the same order. */
export async function recordChanges(
  tx: Tx,
  { programId, actor }: Pick<Change, 'programId' | 'actor'>,
  changes: readonly ActionOnSubject[],
): Promise<string[]> {
  const entries = changes.map((change) => ({ programId, ...change }));
  return insertEntries(tx, actor, entries);
}

type Shared = ActionOnSubject & { actor: Actor; origin: Origin };

/** Records one action in the audit logs of several programs, for what a user does outside of a program. */
export async function recordInPrograms(tx: Tx, programIds: readonly string[], { actor, origin, ...change }: Shared): Promise<void> {
  const entries = programIds.map((programId) => ({ programId, ...change }));
  await insertEntries({ ...tx, origin }, actor, entries);
}

type Entry = ActionOnSubject & { programId: string };

async function insertEntries(tx: Tx, actor: Actor, entries: readonly Entry[]): Promise<string[]> {
  if (entries.length === 0) return [];
  const ids = entries.map(() => tx.ids.uuid());
  const json = (pick: (entry: Entry) => Fields) =>
    entries.map((entry) => {
      const fields = pick(entry);
      return fields ? JSON.stringify(maskFields(fields)) : null;
    });
  await sql`
    insert into audit_log (program_id, id, actor_kind, actor_id, network, request_id, action, subject_id, before, after, created_at)
    select program_id, id, ${actor.kind}, ${actor.id}, ${tx.origin?.network ?? null}, ${tx.origin?.requestId ?? null},
      action, subject_id, before, after, ${systemTime(tx)}
    from unnest(
      ${entries.map(({ programId }) => programId)}::uuid[], ${ids}::uuid[], ${entries.map(({ action }) => action)}::text[],
      ${entries.map(({ subjectId }) => subjectId)}::uuid[], ${json(({ before }) => before)}::jsonb[], ${json(({ after }) => after)}::jsonb[]
    ) as entry (program_id, id, action, subject_id, before, after)`.execute(tx.db);
  return ids;
}
