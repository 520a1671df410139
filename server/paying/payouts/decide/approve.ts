// The second approver: a batch above the program's threshold waits until another API key approves it.
import { sql } from 'kysely';
import { z } from 'zod';
import { getProgram } from '../../../accounts/programs/program.ts';
import { automaticRails, getRailType } from '../../../connections/rails/index.ts';
import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { ApiError, NothingToDo } from '../../../platform/lib/errors.ts';
import { BatchShape, batchSlot, readBatch } from '../batch.ts';
import { sendPayoutsJob } from '../send/job-name.ts';

const windowHours = 24;

/**
 * Whether a batch of this size needs a second approver. What was dispatched without one in the last 24 hours counts too, so
 * that splitting a batch doesn't avoid the approval. The ledger must be locked, so that two dispatches see each other.
 */
export async function needsSecondApproval(tx: Tx, programId: string, totalCents: number): Promise<boolean> {
  const { payoutApprovalCents } = await getProgram(tx, programId);
  if (payoutApprovalCents === null) return false;
  return (await sumUnapproved(tx, programId)) + BigInt(totalCents) > BigInt(payoutApprovalCents);
}

/** Left out is what surely never left: refused by its provider, or cancelled before an automatic provider was called. */
async function sumUnapproved(tx: Tx, programId: string): Promise<bigint> {
  const since = new Date(tx.clock.now().getTime() - windowHours * 3_600_000);
  const { rows } = await sql<{ cents: string }>`
    select coalesce(sum(item.amount_cents), 0)::text as cents from payout_items as item
    join payout_batches as batch on batch.program_id = item.program_id and batch.id = item.batch_id
    where item.program_id = ${programId} and batch.created_at > ${since} and not batch.needs_approval and item.status <> 'failed'
      and not (item.status = 'cancelled' and item.first_tried_at is null and batch.rail = any(${automaticRails}))`.execute(tx.db);
  return BigInt(rows[0]?.cents ?? 0);
}

export const approveBatch = endpoint({
  id: 'payouts.approveBatch',
  route: 'POST /v1/programs/:programId/payouts/batches/:id/approve',
  scope: 'write',
  tag: 'Payouts',
  summary: 'Approve a large batch',
  description: 'Must be approved with a different API key than the one that dispatched it.',
  path: { id: batchSlot },
  body: z.object({}).meta({ id: 'ApproveBatch', example: {} }),
  statuses: [200],
  result: BatchShape,
  errors: [
    { status: 400, code: 'second_approver_required', when: 'The batch was dispatched with this API key.' },
    { status: 422, code: 'nothing_to_approve', when: "This batch doesn't need approval, or has already been approved." },
  ],
  async handle(tx, { actor, params }) {
    const { programId } = actor;
    const batches = tx.db.selectFrom('payoutBatches').selectAll().where('programId', '=', programId).where('id', '=', params.id);
    const batch = await batches.forUpdate().executeTakeFirstOrThrow();
    if (!batch.needsApproval || batch.approvedAt) {
      throw new NothingToDo('nothing_to_approve', "This batch doesn't need approval, or has already been approved.");
    }
    if (batch.dispatchedBy === actor.id) {
      throw new ApiError(
        400,
        'second_approver_required',
        'This batch must be approved with a different API key than the one that dispatched it.',
      );
    }
    await tx.db
      .updateTable('payoutBatches')
      .set({ approvedBy: actor.id, approvedAt: tx.clock.now() })
      .where('programId', '=', programId)
      .where('id', '=', params.id)
      .execute();
    await recordChange(tx, { programId, actor, action: 'payouts.approved', subjectId: params.id, after: { totalCents: batch.totalCents } });
    if (getRailType(batch.rail).isAutomatic) await tx.jobs.enqueue(tx, sendPayoutsJob, { programId });
    return readBatch(tx, programId, params.id);
  },
});
