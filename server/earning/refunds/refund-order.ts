// A refund that a member enters in the console, by lines or by amount. A dry run returns its exact effect on the
// commissions without recording it.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { rehearse } from '../../platform/db/rehearse.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { cents, centsOut, countOut, currencyOut, paragraph, uuidOut } from '../../platform/http/declaration/fields.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { sumForDisplay } from '../../platform/lib/money.ts';
import { inOrderCurrency } from '../commission-rules/order-facts.ts';
import { conversionSlot } from '../conversions/conversion.ts';
import { openLedger } from '../ledger/post.ts';
import { OriginalAmount, toOriginal } from '../orders/conversion-shape.ts';
import { applyRefund, getOrder, refundedLines } from './apply.ts';
import { refundLines } from './lines.ts';
import { AdjustmentShape, buildAdjustments, RefundReason } from './refund.ts';

const Item = z
  .object({
    position: z.int().min(0).max(199).describe('The position of the line in the order, from 0.'),
    quantity: z.int().min(1).max(100_000).optional().describe('Determines the amount if `amountCents` is omitted.'),
    amountCents: cents.optional().describe('Default: the amount of the line that has not been refunded yet.'),
  })
  .meta({ id: 'RefundedLine' });

const Body = z
  .object({
    items: z.array(Item).max(200).optional(),
    amountCents: cents.min(1, 'must be at least 1').optional().describe('Default: the amount that has not been refunded yet.'),
    reason: RefundReason.default('refund'),
    note: paragraph(1000).nullable().optional(),
    dryRun: z.boolean().default(false).describe('Returns what the refund would change without recording it.'),
  })
  .meta({ id: 'NewRefund', example: { items: [{ position: 0, quantity: 1 }], reason: 'refund', dryRun: true } });

const Effect = z
  .object({
    id: uuidOut.nullable().describe('The id of the refund; null for a dry run.'),
    conversionId: uuidOut,
    amountCents: centsOut.describe('The amount of this refund.'),
    original: OriginalAmount.nullable().describe('The amount of this refund before it was converted; null unless the order was.'),
    refundedCents: centsOut.describe('The sum of all refunds of the order.'),
    remainingCents: centsOut.describe('The remaining amount of the order, which can still be refunded.'),
    reversedCents: centsOut.describe('What the refund reverses, on all levels.'),
    currency: currencyOut,
    lines: z
      .array(z.object({ position: countOut, amountCents: centsOut }))
      .describe('The refunded amount of each line, in the currency in which the order was reported.'),
    adjustments: z.array(AdjustmentShape),
  })
  .meta({
    id: 'RefundEffect',
    example: {
      id: null,
      conversionId: '01980a54-1c22-7b6e-8d3f-5e9a7b1c2d3e',
      amountCents: 1490,
      original: null,
      refundedCents: 1490,
      remainingCents: 3490,
      reversedCents: 149,
      currency: 'USD',
      lines: [{ position: 0, amountCents: 1490 }],
      adjustments: [
        {
          commissionId: '01980a54-1c23-7d11-a2b3-8c7d6e5f4a3b',
          affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
          level: 1,
          amountCents: -149,
          ledgerEntryId: null,
          effect: 'reduced_pending',
        },
      ],
    },
  });

export const refundOrder = endpoint({
  id: 'conversions.refund',
  route: 'POST /app/programs/:programId/conversions/:id/refunds',
  scope: 'write',
  requires: 'conversions.write',
  isUserOnly: true,
  tag: 'Orders',
  summary: 'Refund an order',
  description: 'Refunds lines or an amount of an order, and reverses the commissions in proportion. `dryRun` previews the effect.',
  path: { id: conversionSlot },
  body: Body,
  statuses: [200],
  result: Effect,
  errors: [{ status: 422, code: 'nothing_to_refund', when: 'The order is already fully refunded.' }],
  async handle(tx, { actor, params, body }) {
    const refund = { conversionId: params.id, actor, ...body };
    if (!body.dryRun) return record(tx, actor.programId, refund);
    const effect = await rehearse(tx, (rehearsal) => record(rehearsal, actor.programId, refund));
    return { ...effect, id: null, adjustments: effect.adjustments.map((one) => ({ ...one, ledgerEntryId: null })) };
  },
});

type NewRefund = z.output<typeof Body> & { conversionId: string; actor: Actor };

async function record(tx: Tx, programId: string, { conversionId, actor, ...refund }: NewRefund): Promise<z.input<typeof Effect>> {
  const { reason, note = null, items, amountCents } = refund;
  const ledger = await openLedger(tx, programId);
  const named = await tx.db
    .selectFrom('conversions')
    .select('orderId')
    .where('programId', '=', programId)
    .where('id', '=', conversionId)
    .executeTakeFirstOrThrow();
  const order = await getOrder(tx, ledger, named.orderId);
  const lines = refundLines(inOrderCurrency(order.facts).lines, await refundedLines(tx, ledger, order.id), { items, amountCents });
  const fresh = { externalId: `console-${tx.ids.uuid()}`, reason, note, occurredAt: tx.clock.now() };
  const applied = await applyRefund(tx, ledger, { order, lines, fresh, actor });
  const adjustments = await buildAdjustments(tx, programId, { cause: applied.id, reversed: applied.reversed });
  const reversedCents = -sumForDisplay(adjustments.map((one) => one.amountCents));
  const after = { orderId: order.orderId, amountCents: applied.amountCents, reversedCents, reason, note };
  await recordChange(tx, { programId, actor, action: 'refund.entered', subjectId: conversionId, after });
  return {
    id: applied.id,
    conversionId,
    amountCents: applied.amountCents,
    original: toOriginal(applied.originalCents, order.facts.exchange?.currency),
    refundedCents: applied.refundedCents,
    remainingCents: order.amountCents - applied.refundedCents,
    reversedCents,
    currency: ledger.currency,
    lines: [...lines].map(([position, lineCents]) => ({ position, amountCents: lineCents })),
    adjustments,
  };
}
