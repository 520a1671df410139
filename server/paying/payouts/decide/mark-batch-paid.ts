// Marking a batch as paid. Once a payment file was downloaded, it means the payouts in that file: a payout that was in no
// file, such as one whose bank account doesn't fit the format, was not paid by it.
import { z } from 'zod';
import { getRailType } from '../../../connections/rails/index.ts';
import { openLedger } from '../../../earning/ledger/post.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { extendStatementTimeout } from '../../../platform/db/statement-timeout.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, line } from '../../../platform/http/declaration/fields.ts';
import { ApiError, InvalidState, NothingToDo } from '../../../platform/lib/errors.ts';
import { BatchShape, batchSlot, readBatch } from '../batch.ts';
import { changeItems } from '../change.ts';
import { type Item, lockItems } from '../payout.ts';

export const markBatchPaid = endpoint({
  id: 'payouts.markBatchPaid',
  route: 'POST /v1/programs/:programId/payouts/batches/:id/mark-paid',
  scope: 'write',
  tag: 'Payouts',
  summary: 'Mark a batch as paid',
  description:
    'For batches that are paid manually or from a file. If a payment file of the batch was downloaded, only the payouts in such a ' +
    'file are marked, unless `includeNotExported` is true. If none was downloaded, all open payouts are marked.',
  path: { id: batchSlot },
  body: z
    .object({
      reference: line(100).optional(),
      includeNotExported: z.boolean().default(false).describe('Confirms that the payouts that were in no downloaded file were paid, too.'),
    })
    .meta({ id: 'MarkBatchPaid', example: { reference: 'SEPA 2026-03-31' } }),
  statuses: [200],
  result: z
    .object({
      batch: BatchShape,
      paidCount: countOut.describe('How many payouts this changed.'),
      notExportedCount: countOut.describe('How many payouts are still open because they were in no downloaded file.'),
    })
    .meta({ id: 'BatchPaid' }),
  errors: [
    { status: 400, code: 'paid_automatically', when: 'Its provider pays this batch.' },
    { status: 400, code: 'awaiting_approval', when: 'The batch is awaiting approval.' },
    {
      status: 400,
      code: 'payouts_not_exported',
      when: 'Some open payouts were in no downloaded file; confirm them with `includeNotExported`.',
    },
    { status: 422, code: 'payout_not_open', when: 'This batch has no open payouts.' },
  ],
  async handle(tx, { actor, params: { id }, body: { reference, includeNotExported } }) {
    const { programId } = actor;
    await extendStatementTimeout(tx);
    const ledger = await openLedger(tx, programId);
    const batch = await readBatch(tx, programId, id);
    if (getRailType(batch.rail).isAutomatic)
      throw new InvalidState('paid_automatically', `${batch.rail} pays this batch automatically; it can't be marked as paid manually.`);
    if (batch.status === 'awaiting_approval') throw new InvalidState('awaiting_approval', 'This batch is awaiting approval.');
    const items = tx.db.selectFrom('payoutItems').select('id').where('programId', '=', programId).where('batchId', '=', id);
    const ids = (await items.where('status', 'in', ['queued', 'sent']).execute()).map((item) => item.id);
    if (ids.length === 0) throw new NothingToDo('payout_not_open', 'This batch has no open payouts.');
    const open = await lockItems(tx, programId, ids);
    const isMarked = ({ status }: Item) => batch.exportedAt === null || includeNotExported || status === 'sent';
    const changes = open.filter(isMarked).map((item) => ({ item, to: 'paid' as const, reference }));
    const notExportedCount = open.length - changes.length;
    if (changes.length === 0) throw new NotExported(notExportedCount);
    const made = await changeItems(tx, ledger, changes, `api_key:${actor.id}`);
    await recordChange(tx, {
      programId,
      actor,
      action: 'payouts.marked_paid',
      subjectId: id,
      after: { payouts: made.length, notExportedCount },
    });
    return { batch: await readBatch(tx, programId, id), paidCount: made.length, notExportedCount };
  },
});

/** 400: whether they were paid is for the caller to say. */
class NotExported extends ApiError {
  constructor(count: number) {
    const message = `None of the ${count} open payouts was in a downloaded file. Send includeNotExported: true if they were paid anyway.`;
    super(400, 'payouts_not_exported', message, { facts: { notExportedCount: count } });
  }
}
