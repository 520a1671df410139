// The events of payouts and their batches. They never contain where the money goes.
import type { Tx } from '../../context.ts';
import { defineEvent, type NewEvent } from '../../messaging/events/define.ts';
import { BatchShape, selectBatches, toBatch } from './batches/batch.ts';
import { type Payout, PayoutShape, type StoredStatus, toPayout, toPayoutStatus } from './payout.ts';

const object = 'payout';
const data = PayoutShape;

export const payoutCreated = defineEvent({
  type: 'payout.created',
  object,
  isCreation: true,
  data,
  summary: 'A payout was dispatched, or found in the records of the provider.',
});
export const payoutSent = defineEvent({
  type: 'payout.sent',
  object,
  data,
  summary: 'The payout provider accepted the payment. It has not arrived yet.',
  previous: { status: 'sending' },
});
export const payoutPaid = defineEvent({
  type: 'payout.paid',
  object,
  data,
  summary: 'A payout arrived, or was marked as paid.',
  previous: { status: 'sent' },
});
export const payoutFailed = defineEvent({
  type: 'payout.failed',
  object,
  data,
  summary: 'A payout failed: its commissions are owed again.',
  previous: { status: 'sending' },
});
export const payoutCancelled = defineEvent({
  type: 'payout.cancelled',
  object,
  data,
  summary: 'A payout was cancelled, individually or with its batch: its commissions are owed again.',
  previous: { status: 'queued' },
});
export const payoutReturned = defineEvent({
  type: 'payout.returned',
  object,
  data,
  summary: 'A payout that had been paid came back: its commissions are owed again.',
  previous: { status: 'paid' },
});
export const payoutBatchCreated = defineEvent({
  type: 'payoutBatch.created',
  object: 'payoutBatch',
  data: BatchShape,
  summary: 'A batch was dispatched. With the status `awaiting_approval`, nothing is sent until it is approved.',
});
export const payoutBatchApproved = defineEvent({
  type: 'payoutBatch.approved',
  object: 'payoutBatch',
  data: BatchShape,
  summary: 'A batch that awaited approval was approved: its payouts are sent, or can be paid manually.',
  previous: { status: 'awaiting_approval' },
});
export const payoutBatchCompleted = defineEvent({
  type: 'payoutBatch.completed',
  object: 'payoutBatch',
  data: BatchShape,
  summary: 'The last open payout of a batch was paid, failed or was cancelled. `status` says how the batch ended.',
  previous: { status: 'processing' },
});

type PayoutEvent = typeof payoutSent | typeof payoutPaid | typeof payoutFailed | typeof payoutCancelled | typeof payoutReturned;

const byStatus: Partial<Record<StoredStatus, PayoutEvent>> = {
  sent: payoutSent,
  paid: payoutPaid,
  failed: payoutFailed,
  cancelled: payoutCancelled,
  returned: payoutReturned,
};

/** The events of new payouts. */
export function toCreatedEvents(payouts: readonly Payout[]): NewEvent[] {
  return payouts.map((payout) => payoutCreated.of({ objectId: payout.id, affiliateId: payout.affiliateId, data: toPayout(payout) }));
}

/** The events of payouts whose status has changed. `after` has their rows, in any order. */
export function toPayoutEvents(changes: readonly { payout: Payout; to: StoredStatus }[], after: readonly Payout[]): NewEvent[] {
  const rows = new Map(after.map((row) => [row.id, row]));
  return changes.flatMap(({ payout, to }) => {
    const [event, row] = [byStatus[to], rows.get(payout.id)];
    const previous = { status: toPayoutStatus(payout.status) };
    return event && row ? [event.of({ objectId: row.id, affiliateId: row.affiliateId, data: toPayout(row), previous })] : [];
  });
}

/** The events of batches of which the last open payout was just ended. */
export async function toBatchEvents(tx: Tx, programId: string, batchIds: readonly string[]): Promise<NewEvent[]> {
  if (batchIds.length === 0) return [];
  const rows = await selectBatches(tx, programId).where('batch.id', 'in', batchIds).execute();
  const ended = rows.map(toBatch).filter(({ status }) => status !== 'awaiting_approval' && status !== 'processing');
  return ended.map((batch) => payoutBatchCompleted.of({ objectId: batch.id, data: batch, previous: { status: 'processing' } }));
}
