// Every change leaves a row: who, what, and how it looked before and after.
import type { Tx } from '../context.ts';

export type Doer = { kind: 'api_key' | 'command'; id: string };

type Change = {
  programId: string;
  doer: Doer;
  action: `${string}.${string}`;
  subjectId: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
};

/** Appends a change to the audit log and returns its id. Secrets and payout details never go in here. */
export async function recordChange(tx: Tx, { programId, doer, action, subjectId, before, after }: Change): Promise<string> {
  const id = tx.ids.uuid();
  await tx.db
    .insertInto('auditLog')
    .values({
      programId,
      id,
      actorKind: doer.kind,
      actorId: doer.id,
      action,
      subjectId,
      before: before ? JSON.stringify(before) : null,
      after: after ? JSON.stringify(after) : null,
      createdAt: tx.clock.now(),
    })
    .execute();
  return id;
}
