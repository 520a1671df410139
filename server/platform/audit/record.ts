// Records changes in the audit log: the actor, where the request came from, the action, and the changed fields before and
// after. Email addresses are masked, so that the log can be exported and never has to be rewritten.
import type { Tx } from '../../context.ts';
import { insertOfProgram } from '../db/inserts/insert-of-program.ts';
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
  const ids = entries.map(() => tx.ids.uuid());
  const toJson = (fields: Fields) => (fields ? JSON.stringify(maskFields(fields)) : null);
  const rows = entries.map(({ programId, action, subjectId, before, after }, index) => ({
    programId,
    id: ids[index] ?? '',
    actor_kind: actor.kind,
    actor_id: actor.id,
    network: tx.origin?.network ?? null,
    request_id: tx.origin?.requestId ?? null,
    action,
    subject_id: subjectId,
    before: toJson(before),
    after: toJson(after),
    created_at: systemTime(tx),
  }));
  const programs = Map.groupBy(rows, ({ programId }) => programId);
  await Promise.all([...programs].map(([programId, ofProgram]) => insertAll(tx, programId, ofProgram)));
  return ids;
}

const insertAll = insertOfProgram({
  into: 'audit_log',
  columns: {
    id: 'uuid',
    actor_kind: 'text',
    actor_id: 'text',
    network: 'text',
    request_id: 'text',
    action: 'text',
    subject_id: 'uuid',
    before: 'jsonb',
    after: 'jsonb',
    created_at: 'timestamptz',
  },
});
