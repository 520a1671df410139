import { z } from 'zod';
import { openLedger } from '../../../earning/ledger/post.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { extendStatementTimeout } from '../../../platform/db/statement-timeout.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, line } from '../../../platform/http/declaration/fields.ts';
import { NothingToDo } from '../../../platform/lib/errors.ts';
import { BatchShape, batchSlot, readBatch } from '../batch.ts';
import { changeItems } from '../change.ts';
import { lockItems } from '../payout.ts';

export const cancelBatch = endpoint({
  id: 'payouts.cancelBatch',
  route: 'POST /v1/programs/:programId/payouts/batches/:id/cancel',
  scope: 'write',
  tag: 'Payouts',
  summary: "Cancel a batch's unsent payouts",
  description:
    'Also how a batch is refused that waits for its approval. What was or may have been sent goes on; it is cancelled one by one.',
  path: { id: batchSlot },
  body: z.object({ reason: line(200).optional() }).meta({ id: 'CancelBatch', example: { reason: 'Wrong month' } }),
  statuses: [200],
  result: z.object({ batch: BatchShape, cancelledCount: countOut }).meta({ id: 'BatchCancelled' }),
  errors: [{ status: 422, code: 'payout_not_open', when: 'This batch has no unsent payouts.' }],
  async handle(tx, { actor, params: { id }, body: { reason = 'cancelled' } }) {
    const { programId } = actor;
    await extendStatementTimeout(tx);
    const ledger = await openLedger(tx, programId);
    const items = tx.db.selectFrom('payoutItems').select('id').where('programId', '=', programId).where('batchId', '=', id);
    const ids = (await items.where('status', '=', 'queued').execute()).map((item) => item.id);
    // A claim may have come first: whatever is being sent by now stays.
    const queued = (await lockItems(tx, programId, ids)).filter(({ status }) => status === 'queued');
    if (queued.length === 0) throw new NothingToDo('payout_not_open', 'This batch has no unsent payouts.');
    const changes = queued.map((item) => ({ item, to: 'cancelled' as const, code: 'cancelled', reason }));
    const made = await changeItems(tx, ledger, changes, `api_key:${actor.id}`);
    await recordChange(tx, { programId, actor, action: 'payouts.cancelled', subjectId: id, after: { payouts: made.length, reason } });
    return { batch: await readBatch(tx, programId, id), cancelledCount: made.length };
  },
});
