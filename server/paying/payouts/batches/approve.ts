import { z } from 'zod';
import {
  requireSecondPerson,
  secondApproverRequired,
  whoApproves,
} from '../../../accounts/programs/second-person/require-second-person.ts';
import { getRailType } from '../../../connections/rails/index.ts';
import { recordEvent } from '../../../messaging/events/record.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { NothingToDo } from '../../../platform/lib/errors.ts';
import { payoutBatchApproved } from '../events.ts';
import { findRequester } from '../schedule/find-requester.ts';
import { sendPayoutsJob } from '../send/send-job.ts';
import { BatchShape, batchSlot, readBatch } from './batch.ts';

export const approveBatch = endpoint({
  id: 'payoutBatches.approve',
  route: 'POST /v1/programs/:programId/payouts/batches/:id/approve',
  scope: 'write',
  requires: 'payouts.approve',
  isSensitive: true,
  movesMoney: true,
  tag: 'Payouts',
  summary: 'Approve a large batch',
  description: `${whoApproves} The payouts of the batch are then sent.`,
  path: { id: batchSlot },
  body: z.object({}).meta({ id: 'ApproveBatch', example: {} }),
  statuses: [200],
  result: BatchShape,
  errors: [
    secondApproverRequired,
    { status: 422, code: 'nothing_to_approve', when: "This batch doesn't need approval, or has already been approved." },
  ],
  async handle(tx, { actor, params: { id } }) {
    const { programId } = actor;
    const batches = tx.db.selectFrom('payoutBatches').selectAll().where('programId', '=', programId).where('id', '=', id);
    const batch = await batches.forUpdate().executeTakeFirstOrThrow();
    if (!batch.needsApproval || batch.approvedAt) {
      throw new NothingToDo('nothing_to_approve', "This batch doesn't need approval, or has already been approved.");
    }
    await requireSecondPerson(tx, actor, { requestedBy: await findRequester(tx, batch), requestedAt: batch.createdAt });
    await tx.db
      .updateTable('payoutBatches')
      .set({ approvedByKind: actor.kind, approvedById: actor.id, approvedAt: tx.clock.now() })
      .where('programId', '=', programId)
      .where('id', '=', id)
      .execute();
    await recordChange(tx, { programId, actor, action: 'payouts.approved', subjectId: id, after: { totalCents: batch.totalCents } });
    if (getRailType(batch.providerType).isAutomatic) await tx.jobs.enqueue(tx, sendPayoutsJob, { programId });
    const approved = await readBatch(tx, programId, id);
    const previous = { status: 'awaiting_approval' };
    await recordEvent(tx, { programId, actor }, payoutBatchApproved.of({ objectId: id, data: approved, previous }));
    return approved;
  },
});
