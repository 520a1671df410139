// Marks a batch as paid. After a payment file was downloaded, this means the payouts in the file: a payout in no file, such as
// one whose bank account the format can't represent, was not paid from it.
import { z } from 'zod';
import { getRailType } from '../../../connections/rails/index.ts';
import type { Tx } from '../../../context.ts';
import { openLedger } from '../../../earning/ledger/post.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { extendStatementTimeout } from '../../../platform/db/statement-timeout.ts';
import { endpoint, type Principal } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, line } from '../../../platform/http/declaration/fields.ts';
import { InvalidState, NothingToDo } from '../../../platform/lib/errors.ts';
import { changePayouts } from '../change-payouts.ts';
import { lockPayouts, type Payout } from '../payout.ts';
import { BatchShape, batchExample, batchSlot, readBatch } from './batch.ts';

export const markBatchPaid = endpoint({
  id: 'payoutBatches.markPaid',
  route: 'POST /v1/programs/:programId/payouts/batches/:id/mark-paid',
  scope: 'write',
  requires: 'payouts.approve',
  isSensitive: true,
  movesMoney: true,
  tag: 'Payouts',
  summary: 'Mark a batch as paid',
  description:
    'For batches that are paid manually or from a file. If a payment file of the batch was downloaded, only the payouts in such a ' +
    'file are marked, unless `includeNotExported` is true. If none was downloaded, all open payouts are marked.',
  path: { id: batchSlot },
  body: z
    .object({
      reference: line(100).optional(),
      includeNotExported: z
        .boolean()
        .default(false)
        .describe('Confirms that the payouts that are not in any downloaded file were also paid.'),
    })
    .meta({ id: 'MarkBatchPaid', example: { reference: 'SEPA 2026-11-02' } }),
  statuses: [200],
  result: z
    .object({
      batch: BatchShape,
      paidCount: countOut.describe('The number of payouts that were marked as paid.'),
      notExportedCount: countOut.describe('The number of payouts that are still open because they are not in any downloaded file.'),
    })
    .meta({ id: 'BatchPaid', example: { batch: batchExample, paidCount: 1, notExportedCount: 0 } }),
  errors: [
    { status: 400, code: 'paid_automatically', when: 'The payout provider pays this batch automatically.' },
    { status: 400, code: 'awaiting_approval', when: 'The batch is awaiting approval.' },
    {
      status: 400,
      code: 'payouts_not_exported',
      when: 'Some open payouts are not in any downloaded file. To mark them as paid as well, set `includeNotExported` to true.',
      facts: z.object({ notExportedCount: countOut }),
    },
    { status: 422, code: 'payout_not_open', when: 'This batch has no open payouts.' },
  ],
  handle: (tx, { actor, params, body }) => markPaid(tx, actor, params.id, body),
});

type Payment = { reference?: string | undefined; includeNotExported: boolean };

/** Marks the open payouts of a manual or file batch as paid. */
export async function markPaid(tx: Tx, actor: Principal, id: string, { reference, includeNotExported }: Payment) {
  const { programId } = actor;
  await extendStatementTimeout(tx);
  const ledger = await openLedger(tx, programId);
  const batch = await readBatch(tx, programId, id);
  if (getRailType(batch.providerType).isAutomatic) {
    const message = `${batch.providerType} pays this batch automatically; it can't be marked as paid manually.`;
    throw new InvalidState('paid_automatically', message);
  }
  if (batch.status === 'awaiting_approval') throw new InvalidState('awaiting_approval', 'This batch is awaiting approval.');
  const payouts = tx.db.selectFrom('payouts').select('id').where('programId', '=', programId).where('batchId', '=', id);
  const ids = (await payouts.where('status', 'in', ['queued', 'sent']).execute()).map((payout) => payout.id);
  if (ids.length === 0) throw new NothingToDo('payout_not_open', 'This batch has no open payouts.');
  const open = await lockPayouts(tx, programId, ids);
  const isPaid = ({ status }: Payout) => batch.exportedAt === null || includeNotExported || status === 'sent';
  const changes = open.filter(isPaid).map((payout) => ({ payout, to: 'paid' as const, reference }));
  const notExportedCount = open.length - changes.length;
  if (changes.length === 0) {
    const message = `None of the ${notExportedCount} open payouts was in a downloaded file. Send includeNotExported: true if they were paid anyway.`;
    throw new InvalidState('payouts_not_exported', message, { notExportedCount });
  }
  const paid = await changePayouts(tx, ledger, changes, actor);
  const after = { payouts: paid.length, notExportedCount };
  await recordChange(tx, { programId, actor, action: 'payouts.marked_paid', subjectId: id, after });
  return { batch: await readBatch(tx, programId, id), paidCount: paid.length, notExportedCount };
}
