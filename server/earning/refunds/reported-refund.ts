// A refund as it is reported, by the API and by stores.
import { z } from 'zod';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { cents, currencyIn, logged, paragraph, timestampIn, uuid } from '../../platform/http/declaration/fields.ts';
import { RefundReason } from './refund.ts';

const Item = z
  .object({
    position: z.int().min(0).max(199).optional().describe('The position of the line in the order, from 0.'),
    productId: uuid.nullable().optional(),
    quantity: z.int().min(1).max(100_000).optional().describe('Determines the amount if `amountCents` is omitted.'),
    amountCents: cents.optional().describe('Default: the amount of the line that has not been refunded yet.'),
  })
  .meta({ id: 'RefundedItem' });

export const ReportedRefund = z
  .object({
    refundId: logged(externalIdentifier(255)).describe("The store's id for the refund. Reporting the same refund again has no effect."),
    orderId: logged(externalIdentifier(255)),
    currency: currencyIn
      .optional()
      .describe('The currency of all amounts of the refund: that in which the order was reported, which is also the default.'),
    amountCents: cents.min(1, 'must be at least 1').optional().describe('Default: the amount of the order that has not been refunded yet.'),
    items: z.array(Item).max(200).optional(),
    reason: RefundReason.default('refund'),
    note: paragraph(1000).nullable().optional(),
    occurredAt: timestampIn.optional(),
  })
  .meta({ id: 'ReportedRefund', example: { refundId: 're_1', orderId: 'FF-10023', amountCents: 1490 } });
