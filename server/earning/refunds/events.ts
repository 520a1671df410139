import type { Tx } from '../../context.ts';
import { defineEvent } from '../../messaging/events/define.ts';
import { type EventOrigin, recordEvent } from '../../messaging/events/record.ts';
import { readRefund } from './list.ts';
import { RefundShape } from './refund.ts';

export const refundCreated = defineEvent({
  type: 'refund.created',
  object: 'refund',
  isCreation: true,
  data: RefundShape,
  summary: 'A refund, or a dispute that was lost, was recorded, and the commissions of the order were reversed accordingly.',
});

/** Records the event of a refund whose reversals have been posted. */
export async function announceRefund(tx: Tx, origin: EventOrigin, { id, affiliateId }: { id: string; affiliateId: string }): Promise<void> {
  if (tx.isHistory) return;
  const refund = await readRefund(tx, origin.programId, id);
  await recordEvent(tx, origin, refundCreated.of({ objectId: id, affiliateId, data: refund }));
}
