import { z } from 'zod';
import { openLedger } from '../../../earning/ledger/post.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { extendStatementTimeout } from '../../../platform/db/statement-timeout.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, line } from '../../../platform/http/declaration/fields.ts';
import { NothingToDo } from '../../../platform/lib/errors.ts';
import { changePayouts } from '../change-payouts.ts';
import { lockPayouts } from '../payout.ts';
import { BatchShape, batchExample, batchSlot, readBatch } from './batch.ts';

export const cancelBatch = endpoint({
  id: 'payoutBatches.cancel',
  route: 'POST /v1/programs/:programId/payouts/batches/:id/cancel',
  scope: 'write',
  requires: 'payouts.prepare',
  tag: 'Payouts',
  summary: "Cancel a batch's unsent payouts",
  description:
    'Also rejects a batch that is awaiting approval. Payouts that have been sent, or may have been sent, are not cancelled; ' +
    'cancel them individually with `POST …/payouts/:id/cancel`.',
  path: { id: batchSlot },
  body: z.object({ note: line(200).optional() }).meta({ id: 'CancelBatch', example: { note: 'Wrong month' } }),
  statuses: [200],
  result: z.object({ batch: BatchShape, cancelledCount: countOut }).meta({
    id: 'BatchCancelled',
    example: { batch: { ...batchExample, status: 'failed', paidCents: 0 }, cancelledCount: 1 },
  }),
  errors: [{ status: 422, code: 'payout_not_open', when: 'This batch has no unsent payouts.' }],
  async handle(tx, { actor, params: { id }, body: { note } }) {
    const { programId } = actor;
    await extendStatementTimeout(tx);
    const ledger = await openLedger(tx, programId);
    const payouts = tx.db.selectFrom('payouts').select('id').where('programId', '=', programId).where('batchId', '=', id);
    const ids = (await payouts.where('status', '=', 'queued').execute()).map((payout) => payout.id);
    // A concurrent claim may have started to send some of them.
    const queued = (await lockPayouts(tx, programId, ids)).filter(({ status }) => status === 'queued');
    if (queued.length === 0) throw new NothingToDo('payout_not_open', 'This batch has no unsent payouts.');
    const changes = queued.map((payout) => ({ payout, to: 'cancelled' as const, note }));
    const cancelled = await changePayouts(tx, ledger, changes, actor);
    const after = { payouts: cancelled.length, note: note ?? null };
    await recordChange(tx, { programId, actor, action: 'payouts.cancelled', subjectId: id, after });
    return { batch: await readBatch(tx, programId, id), cancelledCount: cancelled.length };
  },
});
