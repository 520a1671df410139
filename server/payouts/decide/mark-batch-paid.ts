import { z } from 'zod';
import { recordChange } from '../../audit/record.ts';
import { allowLonger } from '../../db/allow-longer.ts';
import { endpoint } from '../../http/endpoint.ts';
import { countOut, line } from '../../http/fields.ts';
import { openBooks } from '../../ledger/books.ts';
import { Invalid, NothingToDo } from '../../lib/errors.ts';
import { railTypeOf } from '../../rails/index.ts';
import { BatchShape, batchSlot, readBatch } from '../batch.ts';
import { changeItems } from '../change.ts';
import { lockItems } from '../payout.ts';

export const markBatchPaid = endpoint({
  id: 'payouts.markBatchPaid',
  route: 'POST /v1/programs/:programId/payouts/batches/:id/mark-paid',
  scope: 'write',
  tag: 'Payouts',
  summary: 'Say that a whole batch was paid',
  description: 'For batches that people pay (`manual`, `csv`): everything of it that is still open is paid.',
  path: { id: batchSlot },
  body: z.object({ reference: line(100).optional() }).meta({ id: 'MarkBatchPaid', example: { reference: 'SEPA 2026-03-31' } }),
  statuses: [200],
  result: z.object({ batch: BatchShape, paidCount: countOut.describe('How many payouts this changed.') }).meta({ id: 'BatchPaid' }),
  refusals: { 422: 'Nothing of it is open.' },
  async handle(tx, { actor: { programId, keyId }, params: { id }, body: { reference } }) {
    await allowLonger(tx);
    const books = await openBooks(tx, programId);
    const batch = await readBatch(tx, programId, id);
    if (railTypeOf(batch.rail).isAutomatic)
      throw new Invalid([{ path: [], message: `must not be sent for a batch that ${batch.rail} pays: its payouts tell how they stand` }]);
    if (batch.status === 'awaiting_approval') throw new Invalid([{ path: [], message: 'must wait: this batch waits for its approval' }]);
    const items = tx.db.selectFrom('payoutItems').select('id').where('programId', '=', programId).where('batchId', '=', id);
    const ids = (await items.where('status', 'in', ['queued', 'sent']).execute()).map((item) => item.id);
    if (ids.length === 0) throw new NothingToDo('payout_not_open', 'Nothing of this batch is open.');
    const changes = (await lockItems(tx, programId, ids)).map((item) => ({ item, to: 'paid' as const, reference }));
    const made = await changeItems(tx, books, changes, `api_key:${keyId}`);
    const doer = { kind: 'api_key' as const, id: keyId };
    await recordChange(tx, { programId, doer, action: 'payouts.marked_paid', subjectId: id, after: { payouts: made.length } });
    return { batch: await readBatch(tx, programId, id), paidCount: made.length };
  },
});
