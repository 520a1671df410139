// Changes that can be undone together for a minute. Their emails are sent when that minute has passed.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { cancelEmails } from '../../../messaging/emails/send.ts';
import { insertRows } from '../../../platform/db/inserts/insert-rows.ts';
import type { AffiliateChangeSets } from '../../../platform/db/schema.gen.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { InvalidState, NotFound, NothingToDo } from '../../../platform/lib/errors.ts';
import { type AffiliateChange, type AppliedChange, applyChange } from '../change-affiliate.ts';

const undoMs = 60_000;

type Editor = Actor & { programId: string };

/** Until when a change that is made now can be undone. */
export function undoTime(tx: Pick<Tx, 'clock'>): Date {
  return new Date(tx.clock.now().getTime() + undoMs);
}

/** Stores changes that can be undone until that time. Returns the id of the set. */
export async function storeChangeSet(tx: Tx, actor: Editor, changes: readonly AppliedChange[], undoUntil: Date): Promise<string> {
  const { programId } = actor;
  const id = tx.ids.uuid();
  const createdAt = tx.clock.now();
  await tx.db
    .insertInto('affiliateChangeSets')
    .values({ programId, id, actorKind: actor.kind, actorId: actor.id, undoUntil, createdAt })
    .execute();
  const rows = changes.flatMap(({ after, changeId }) =>
    changeId === null ? [] : [{ programId, setId: id, auditId: changeId, affiliateId: after.id }],
  );
  await insertRows(tx, 'affiliateChanges', rows);
  return id;
}

/** The audited fields of a change that an undo can restore. */
const Restorable = z.object({
  status: z.enum(['pending', 'active', 'suspended', 'rejected', 'archived']),
  groupId: z.string().nullable(),
  commissionOverrideType: z.enum(['percentage', 'flat']).nullable(),
  commissionOverrideRate: z.number().nullable(),
  tags: z.array(z.string()),
});
const Before = Restorable.partial();

/**
 * Restores the fields that the changes of a set replaced, unless they were changed again, and cancels their emails.
 * Returns how many affiliates were restored, and how many had been changed again.
 */
export async function undoChangeSet(tx: Tx, actor: Editor, setId: string): Promise<{ restored: number; skipped: number }> {
  const { programId } = actor;
  await closeSet(tx, programId, setId);
  const changes = await tx.db
    .selectFrom('affiliateChanges as change')
    .innerJoin('auditLog as audit', (join) => join.on('audit.programId', '=', programId).onRef('audit.id', '=', 'change.auditId'))
    .select(['change.affiliateId', 'audit.id as auditId', 'audit.before', 'audit.after'])
    .where('change.programId', '=', programId)
    .where('change.setId', '=', setId)
    .orderBy('change.affiliateId')
    .execute();
  const restored: string[] = [];
  for (const { affiliateId, auditId, before, after } of changes) {
    const isRestored = await restore(tx, actor, { affiliateId, before: Before.parse(before), after: Before.parse(after) });
    if (isRestored) restored.push(auditId);
  }
  await cancelEmails(tx, programId, restored);
  return { restored: restored.length, skipped: changes.length - restored.length };
}

/** Marks the set as undone. Throws if that has been done, or can no longer be done. */
async function closeSet(tx: Tx, programId: string, setId: string): Promise<Selectable<AffiliateChangeSets>> {
  const sets = tx.db.selectFrom('affiliateChangeSets').selectAll().where('programId', '=', programId).where('id', '=', setId);
  const set = await sets.forUpdate().executeTakeFirst();
  if (!set) throw new NotFound();
  if (set.undoneAt !== null) throw new NothingToDo('already_undone', 'This change has already been undone.');
  if (set.undoUntil <= tx.clock.now()) throw new InvalidState('undo_expired', 'This change can no longer be undone: its emails were sent.');
  await tx.db
    .updateTable('affiliateChangeSets')
    .set({ undoneAt: tx.clock.now() })
    .where('programId', '=', programId)
    .where('id', '=', setId)
    .execute();
  return set;
}

type Restoration = { affiliateId: string; before: z.output<typeof Before>; after: z.output<typeof Before> };

async function restore(tx: Tx, actor: Editor, { affiliateId, before, after }: Restoration): Promise<boolean> {
  const present = await tx.db
    .selectFrom('affiliates')
    .selectAll()
    .where('programId', '=', actor.programId)
    .where('id', '=', affiliateId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const fields = { ...present, commissionOverrideRate: toNumber(present.commissionOverrideRate) };
  const isUnchanged = (Object.keys(after) as (keyof typeof after)[]).every(
    (field) => JSON.stringify(fields[field]) === JSON.stringify(after[field]),
  );
  if (!isUnchanged) return false;
  await applyChange(tx, actor, { id: affiliateId, ...toChange(before, fields) }, { isUndo: true });
  return true;
}

function toNumber(rate: string | null): number | null {
  return rate === null ? null : Number(rate);
}

/** An override is restored as a whole: its audited change may contain only the rate. */
function toChange(before: z.output<typeof Before>, present: { commissionOverrideType: string | null }): AffiliateChange {
  if (before.commissionOverrideType === undefined && before.commissionOverrideRate === undefined) return before;
  const type = before.commissionOverrideType ?? (before.commissionOverrideType === null ? null : present.commissionOverrideType);
  return { ...before, commissionOverrideType: type === 'percentage' || type === 'flat' ? type : null };
}
