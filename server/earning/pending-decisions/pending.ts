// Decisions of members about claims, fraud alerts and content for bounties that can be undone for a minute. A decision is
// tried at once, so that the member sees why it isn't possible; its money, events and emails follow when the minute has
// passed.
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { rehearse } from '../../platform/db/rehearse.ts';
import { timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { InvalidState } from '../../platform/lib/errors.ts';
import { jobName } from '../../platform/queue/job.ts';

const undoMs = 60_000;
/** The job runs after the last moment in which the decision can be undone. */
const marginSeconds = 1;
/** An item whose decision was not applied by then is shown again. */
const graceMs = 60_000;

export type DecisionKind = 'claim' | 'fraud_alert' | 'bounty_submission';

export const applyJob = jobName<{ programId: string; id: string }>('decisions.apply');

export const PendingDecision = z
  .object({ id: uuidOut.describe('The id by which the decision can be undone.'), subjectId: uuidOut, undoUntil: timestampOut })
  .meta({
    id: 'PendingDecision',
    example: {
      id: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
      subjectId: '01980a5a-7c8d-7e9f-8a0b-1c2d3e4f5a6b',
      undoUntil: '2026-11-20T09:01:00.000Z',
    },
  });

export const decisionPending = {
  status: 400,
  code: 'decision_pending',
  when: 'Another member decided it less than a minute ago, and the decision can still be undone.',
} as const;

export type Decision = { kind: DecisionKind; subjectId: string; decision: string; note: string | null; userId: string };

/** Stores a decision that takes effect in a minute. `decide` makes it; what it throws now is thrown to the member. */
export async function storeDecision(
  tx: Tx,
  programId: string,
  given: Decision,
  decide: (tx: Tx) => Promise<unknown>,
): Promise<z.input<typeof PendingDecision>> {
  await rehearse(tx, decide);
  const id = tx.ids.uuid();
  const now = tx.clock.now();
  const applyAt = new Date(now.getTime() + undoMs);
  const inserted = await tx.db
    .insertInto('pendingDecisions')
    .values({ programId, id, ...given, applyAt, createdAt: now })
    .onConflict((conflict) => conflict.columns(['programId', 'kind', 'subjectId']).where('outcome', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) throw new InvalidState('decision_pending', 'Another member decided this a moment ago.');
  await tx.jobs.enqueue(tx, applyJob, { programId, id }, { delaySeconds: undoMs / 1000 + marginSeconds });
  return { id, subjectId: given.subjectId, undoUntil: applyAt.toISOString() };
}

/** SQL: whether an item has a decision that is about to take effect. Such items no longer await one. */
export function isDecided(programId: string, kind: DecisionKind, { now, id }: { now: Date; id: RawBuilder<unknown> }): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from pending_decisions as decision where decision.program_id = ${programId} and decision.kind = ${kind}
      and decision.subject_id = ${id} and decision.outcome is null and decision.apply_at > ${new Date(now.getTime() - graceMs)})`;
}
