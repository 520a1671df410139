// Disputes as the API returns them, and the endpoint by which a store's own integration reports one.
import { z } from 'zod';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint, Reply } from '../../platform/http/declaration/endpoint.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { cents, centsOut, currencyOut, logged, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { ConversionReference } from '../conversions/reference.ts';
import { OriginalAmount, toOriginal } from '../orders/conversion-shape.ts';
import { type Dispute, DisputeStatus, recordDispute } from './record-dispute.ts';
import { AdjustmentShape, buildAdjustments } from './refund.ts';

const example = {
  id: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e61',
  disputeId: 'dp_1',
  orderId: 'FF-10023',
  conversionId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
  status: 'opened',
  amountCents: 4980,
  currency: 'USD',
  original: null,
  createdAt: '2026-11-09T08:15:00.000Z',
  updatedAt: '2026-11-09T08:15:00.000Z',
};

export const DisputeShape = z
  .object({
    id: uuidOut,
    disputeId: z.string().describe("The payment provider's id for the dispute."),
    orderId: z.string(),
    conversionId: uuidOut,
    conversion: ConversionReference.optional().describe('Included with `?expand=conversion`.'),
    status: DisputeStatus,
    amountCents: centsOut.nullable().describe('The disputed amount; null for the whole order.'),
    currency: currencyOut,
    original: OriginalAmount.nullable().describe('The disputed amount before it was converted; null unless the order was.'),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({ id: 'Dispute', example });

/** A dispute in a response. */
export function toDispute(
  { id, externalId, conversionId, status, amountCents, originalCents, createdAt, updatedAt }: Dispute,
  { orderId, currency, originalCurrency }: { orderId: string; currency: string; originalCurrency: string | null },
): z.input<typeof DisputeShape> {
  return {
    id,
    disputeId: externalId,
    orderId,
    conversionId,
    status: DisputeStatus.parse(status),
    amountCents,
    currency,
    original: toOriginal(originalCents, originalCurrency),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export const reportDispute = endpoint({
  id: 'disputes.report',
  route: 'POST /v1/disputes',
  scope: 'write',
  requires: 'conversions.write',
  tag: 'Refunds',
  summary: 'Report a dispute or its outcome',
  description:
    '`opened` holds the commissions of the order until the dispute is closed, `lost` reverses them like a refund, `won` lifts ' +
    'the hold and restores what an earlier loss reversed. Commissions stay held while another cause is open. Reporting the same ' +
    'status again has no effect.',
  body: z
    .object({
      disputeId: logged(externalIdentifier(255)),
      orderId: logged(externalIdentifier(255)),
      status: DisputeStatus,
      amountCents: cents
        .min(1, 'must be at least 1')
        .optional()
        .describe(
          'In the currency in which the order was reported. Default: the amount reported before, or the amount of the order that has ' +
            'not been refunded yet.',
        ),
    })
    .meta({ id: 'ReportedDispute', example: { disputeId: 'dp_1', orderId: 'FF-10023', status: 'opened' } }),
  statuses: [201, 200],
  outcomes: { 200: 'The dispute was already reported; returned with its current status.' },
  result: DisputeShape.extend({
    adjustments: z.array(AdjustmentShape).describe('The commissions that this report reversed or restored.'),
  }).meta({ id: 'RecordedDispute', example: { ...example, adjustments: [] } }),
  errors: [{ status: 404, code: 'not_found', when: '`orderId` was not found in this program.' }],
  async handle(tx, { actor, body }) {
    const { programId, currency } = actor;
    const { dispute, order, isNew, reversed } = await recordDispute(tx, { programId, actor, report: body });
    if (actor.kind === 'user') {
      const after = { disputeId: dispute.externalId, status: dispute.status, amountCents: dispute.amountCents };
      await recordChange(tx, { programId, actor, action: 'dispute.reported', subjectId: order.id, after });
    }
    const originalCurrency = order.facts.exchange?.currency ?? null;
    const cause = dispute.refundId ?? '';
    const adjustments = reversed.length === 0 ? [] : await buildAdjustments(tx, programId, { cause, reversed });
    const response = { ...toDispute(dispute, { orderId: order.orderId, currency, originalCurrency }), adjustments };
    return isNew ? response : new Reply(200, response);
  },
});
