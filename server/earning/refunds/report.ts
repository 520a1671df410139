// Reporting a refund. Reversals are exact per line, cumulative, on both levels, before and after payment.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { toConflict } from '../../platform/db/constraints.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { uuidOut } from '../../platform/http/declaration/fields.ts';
import { Conflict, Invalid } from '../../platform/lib/errors.ts';
import { inOrderCurrency } from '../commission-rules/order-facts.ts';
import { openLedger } from '../ledger/post.ts';
import { toOriginal } from '../orders/conversion-shape.ts';
import { applyRefund, getOrder, refundedLines } from './apply.ts';
import { refundLines } from './lines.ts';
import { buildAdjustments, RefundShape } from './refund.ts';
import { ReportedRefund } from './reported-refund.ts';

export const reportRefund = endpoint({
  id: 'refunds.report',
  route: 'POST /v1/refunds',
  scope: 'write',
  requires: 'conversions.write',
  tag: 'Refunds',
  summary: 'Report a refund',
  description:
    "Reverses each commission in proportion to the refunded share of its lines. Rounding applies to the sum of an order's " +
    'refunds, so that a full refund reverses exactly the amount earned, regardless of the number of partial refunds. Amounts ' +
    'that were already paid are netted by the next payout.',
  body: ReportedRefund,
  statuses: [201],
  result: RefundShape,
  errors: [
    { status: 404, code: 'not_found', when: '`orderId` was not found in this program.' },
    {
      status: 409,
      code: 'refund_recorded',
      when: 'The refund is already recorded. Treat it as success.',
      facts: z.object({ id: uuidOut, refundId: z.string() }),
    },
    { status: 422, code: 'nothing_to_refund', when: 'The order is already fully refunded.' },
  ],
  async handle(tx, { actor, body }) {
    const ledger = await openLedger(tx, actor.programId);
    const order = await getOrder(tx, ledger, body.orderId);
    await rejectDuplicate(tx, actor.programId, body.refundId);
    requireOrderCurrency(body, order.facts.exchange?.currency ?? ledger.currency);
    const lines = refundLines(inOrderCurrency(order.facts).lines, await refundedLines(tx, ledger, order.id), body);
    const occurredAt = body.occurredAt ?? tx.clock.now();
    const fresh = { externalId: body.refundId, reason: body.reason, note: body.note ?? null, occurredAt };
    const applied = await applyRefund(tx, ledger, { order, lines, fresh, actor });
    return {
      id: applied.id,
      refundId: body.refundId,
      orderId: order.orderId,
      conversionId: order.id,
      amountCents: applied.amountCents,
      refundedCents: applied.refundedCents,
      remainingCents: order.amountCents - applied.refundedCents,
      currency: actor.currency,
      original: toOriginal(applied.originalCents, order.facts.exchange?.currency),
      reason: body.reason,
      note: fresh.note,
      adjustments: await buildAdjustments(tx, actor.programId, { cause: applied.id, reversed: applied.reversed }),
      occurredAt: occurredAt.toISOString(),
      undoneAt: null,
      createdAt: tx.clock.now().toISOString(),
    };
  },
});

/** A refund is in the currency in which its order was reported. */
export function requireOrderCurrency({ currency }: { currency?: string | undefined }, ofOrder: string): void {
  if (currency === undefined || currency === ofOrder) return;
  throw new Invalid([{ path: ['currency'], message: `must be ${ofOrder}, the currency of the order` }]);
}

/** Under the lock of the ledger, so that a repeated report is 409 even when the order is fully refunded. */
async function rejectDuplicate(tx: Tx, programId: string, externalId: string): Promise<void> {
  const known = await tx.db
    .selectFrom('refunds')
    .select('id')
    .where('programId', '=', programId)
    .where('externalId', '=', externalId)
    .executeTakeFirst();
  if (!known) return;
  const { code, message } = toConflict('refunds_external_id_unique');
  throw new Conflict(code, message, { id: known.id, refundId: externalId });
}
