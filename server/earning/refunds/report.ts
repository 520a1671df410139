// Reporting a refund: exact per line, cumulative, both levels, before and after payment (reliability §3.4).
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { toConflict } from '../../platform/db/constraints.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { cents, paragraph, timestampIn, uuid } from '../../platform/http/declaration/fields.ts';
import { Conflict } from '../../platform/lib/errors.ts';
import { openLedger } from '../ledger/post.ts';
import { applyRefund, getOrder, refundedLines } from './apply.ts';
import { refundLines } from './lines.ts';
import { adjustmentsOf, RefundReason, RefundShape } from './refund.ts';

const Item = z
  .object({
    position: z.int().min(0).max(199).optional().describe('The place of the line in the order, from 0.'),
    productId: uuid.nullable().optional(),
    quantity: z.int().min(1).max(100_000).optional().describe('Gives the amount where `amountCents` is left out.'),
    amountCents: cents.optional().describe('Default: all that is left of the line.'),
  })
  .meta({ id: 'RefundedItem' });

/** A refund as its body names it. */
export const ReportedRefund = z
  .object({
    refundId: externalIdentifier(255).describe("The shop's own id of the refund; reporting it again takes nothing back again."),
    orderId: externalIdentifier(255),
    amountCents: cents.min(1, 'must be at least 1').optional().describe('Default: all that is left of the order.'),
    items: z.array(Item).max(200).optional(),
    reason: RefundReason.default('refund'),
    note: paragraph(1000).nullable().optional(),
    occurredAt: timestampIn.optional(),
  })
  .meta({ id: 'ReportedRefund', example: { refundId: 're_1', orderId: 'FF-10023', amountCents: 1490 } });

export const reportRefund = endpoint({
  id: 'refunds.report',
  route: 'POST /v1/refunds',
  scope: 'write',
  tag: 'Refunds',
  summary: 'Report a refund',
  description:
    'Takes back the share of every commission that the refund takes of its lines, rounded over all refunds together: ' +
    'a full refund takes back exactly what was earned, however many parts it comes in. What was paid already is netted by the next payout.',
  body: ReportedRefund,
  statuses: [201],
  result: RefundShape,
  refusals: {
    400: 'More is asked back than is left, or an item is not in the order.',
    404: 'No such order.',
    409: 'The refund is recorded already. Treat it as success.',
    422: 'Nothing of the order is left to refund.',
  },
  async handle(tx, { actor, body }) {
    const ledger = await openLedger(tx, actor.programId);
    const order = await getOrder(tx, ledger, body.orderId);
    await refuseKnown(tx, actor.programId, body.refundId);
    const lines = refundLines(order.facts.lines, await refundedLines(tx, ledger, order.id), body);
    const occurredAt = body.occurredAt ?? tx.clock.now();
    const fresh = { externalId: body.refundId, reason: body.reason, note: body.note ?? null, occurredAt };
    const applied = await applyRefund(tx, ledger, { order, lines, fresh, actor: actor });
    return {
      id: applied.id,
      refundId: body.refundId,
      orderId: order.orderId,
      conversionId: order.id,
      amountCents: applied.amountCents,
      refundedCents: applied.refundedCents,
      remainingCents: order.amountCents - applied.refundedCents,
      reason: body.reason,
      note: fresh.note,
      adjustments: await adjustmentsOf(tx, actor.programId, { cause: applied.id, reversed: applied.reversed }),
      occurredAt: occurredAt.toISOString(),
      undoneAt: null,
      createdAt: tx.clock.now().toISOString(),
    };
  },
});

/** Asked under the lock of the ledger, so that a repeated report is 409 also once nothing is left; the index decides anyway. */
async function refuseKnown(tx: Tx, programId: string, externalId: string): Promise<void> {
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
