import { z } from 'zod';
import { recordChange } from '../../audit/record.ts';
import type { Tx } from '../../context.ts';
import { endpoint } from '../../http/endpoint.ts';
import { Invalid, NothingToDo } from '../../lib/errors.ts';
import { getProgram } from '../../programs/program.ts';
import { railTypeOf } from '../../rails/index.ts';
import { BatchShape, batchSlot, readBatch } from '../batch.ts';

/** Whether a second person has to approve a batch of this size. */
export async function needsSecond(tx: Tx, programId: string, totalCents: number): Promise<boolean> {
  const { payoutApprovalCents } = await getProgram(tx, programId);
  return payoutApprovalCents !== null && totalCents > payoutApprovalCents;
}

export const approveBatch = endpoint({
  id: 'payouts.approveBatch',
  route: 'POST /v1/programs/:programId/payouts/batches/:id/approve',
  scope: 'write',
  tag: 'Payouts',
  summary: 'Approve a large batch',
  description: 'Above `payoutApprovalCents` a batch waits until a second person approves it: with another key than dispatched it.',
  path: { id: batchSlot },
  body: z.object({}).meta({ id: 'ApproveBatch', example: {} }),
  statuses: [200],
  result: BatchShape,
  refusals: { 422: 'It needs no approval, or has it.' },
  async handle(tx, { actor: { programId, keyId }, params }) {
    const batches = tx.db.selectFrom('payoutBatches').selectAll().where('programId', '=', programId).where('id', '=', params.id);
    const batch = await batches.forUpdate().executeTakeFirstOrThrow();
    if (!batch.needsApproval || batch.approvedAt) throw new NothingToDo('nothing_to_approve', 'This batch does not wait for an approval.');
    if (batch.dispatchedBy === keyId)
      throw new Invalid([{ path: [], message: 'must be sent with another key than the batch was dispatched with' }]);
    await tx.db
      .updateTable('payoutBatches')
      .set({ approvedBy: keyId, approvedAt: tx.clock.now() })
      .where('programId', '=', programId)
      .where('id', '=', params.id)
      .execute();
    const doer = { kind: 'api_key' as const, id: keyId };
    await recordChange(tx, { programId, doer, action: 'payouts.approved', subjectId: params.id, after: { totalCents: batch.totalCents } });
    if (railTypeOf(batch.rail).isAutomatic) await tx.jobs.enqueue(tx, { name: 'payouts.send' }, { programId });
    return readBatch(tx, programId, params.id);
  },
});
