// Cancelling an order: the rest of it is refunded, which reverses all of its commissions, and nothing restores them later.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { stopClock } from '../../platform/lib/clock.ts';
import { NothingToDo } from '../../platform/lib/errors.ts';
import { inOrderCurrency } from '../commission-rules/order-facts.ts';
import { lockRecordedOrder } from '../conversions/changing/recorded-order.ts';
import { conversionSlot } from '../conversions/conversion.ts';
import { openLedger } from '../ledger/post.ts';
import { applyRefund, refundedLines } from '../refunds/apply.ts';
import { isFullyRefunded, refundLines } from '../refunds/lines.ts';
import { changeOrder, dryRun, note, OrderChange, type Requested, recordOrderChange, toReversal } from './change.ts';

export const cancelOrder = endpoint({
  id: 'conversions.cancel',
  route: 'POST /v1/programs/:programId/conversions/:id/cancel',
  scope: 'write',
  requires: 'conversions.write',
  tag: 'Conversions',
  summary: 'Cancel an order',
  description:
    'Refunds the rest of the order with the reason `cancelled`, and reverses all of its commissions; what was already paid is netted ' +
    'by the next payout. A cancelled order stays cancelled: it is neither moved nor increased, and a dispute that is won later ' +
    'restores nothing.',
  path: { id: conversionSlot },
  body: z.object({ note: note.nullable().optional(), dryRun }).meta({ id: 'OrderCancellation', example: { note: 'Never shipped' } }),
  statuses: [200],
  result: OrderChange,
  errors: [{ status: 422, code: 'nothing_to_cancel', when: 'The order is already cancelled or fully refunded.' }],
  handle: (tx, { actor, params, body: { note: text = null, dryRun: isRehearsal } }) => {
    const requested = { conversionId: params.id, actor, note: text };
    return changeOrder(tx, isRehearsal, (inner) => cancel(inner, actor.programId, requested));
  },
});

async function cancel(opening: Tx, programId: string, requested: Requested) {
  const { actor } = requested;
  const ledger = await openLedger(opening, programId);
  const tx = stopClock(opening);
  const order = await lockRecordedOrder(tx, ledger, requested.conversionId);
  if (order.isCancelled) throw new NothingToDo('nothing_to_cancel', 'This order is already cancelled.');
  const refunded = await refundedLines(tx, ledger, order.id);
  const { lines: orderLines } = inOrderCurrency(order.facts);
  if (isFullyRefunded(orderLines, refunded)) throw new NothingToDo('nothing_to_cancel', 'This order is already fully refunded.');
  const id = tx.ids.uuid();
  const lines = refundLines(orderLines, refunded, {});
  const fresh = { externalId: `cancellation:${id}`, reason: 'cancelled', note: requested.note, occurredAt: tx.clock.now() };
  const { amountCents, reversed } = await applyRefund(tx, ledger, { order, lines, fresh, actor });
  const change = { id, kind: 'cancelled' as const, amountCents };
  const conversion = await recordOrderChange(tx, programId, { order, change, requested });
  return { id, conversion, adjustments: reversed.map(({ row, cents }) => toReversal(row, cents)) };
}
