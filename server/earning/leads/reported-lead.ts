// A lead as a program reports it. It has the attribution signals of an order, and is attributed like one without an amount.
import { z } from 'zod';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { line, logged, timestampIn } from '../../platform/http/declaration/fields.ts';
import { ReportedOrder } from '../conversions/order.ts';

const { affiliateId, clickId, couponCode, referralCode, subId, metadata, customer } = ReportedOrder.shape;

export const ReportedLead = z
  .object({
    externalId: logged(externalIdentifier(255)).describe(
      "The program's id for the lead, such as that of the sign-up; case-sensitive. Reporting the same lead again has no effect.",
    ),
    name: line(100).nullable().optional().describe('What the customer signed up for.'),
    affiliateId,
    clickId,
    couponCode: couponCode.describe('Credits the affiliate of the coupon, whatever its minimum amount and products. Not a redemption.'),
    referralCode,
    customer: customer.describe('With `externalId`, `email` or both: later orders with one of them belong to this customer.'),
    occurredAt: timestampIn
      .optional()
      .describe('When the customer signed up; default: now. The rules and groups that were in effect at this time apply.'),
    subId,
    metadata,
  })
  .superRefine((lead, check) => {
    if (lead.customer?.externalId || lead.customer?.email) return;
    check.addIssue({ code: 'custom', path: ['customer'], message: 'must have an `externalId` or an `email`' });
  })
  .meta({
    id: 'ReportedLead',
    example: {
      externalId: 'signup-5120',
      name: 'Newsletter',
      clickId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
      customer: { externalId: 'c-77' },
    },
  });
export type ReportedLead = z.output<typeof ReportedLead>;

/** The lead as an order without an amount, to be attributed by the same signals. */
export function toOrder({ externalId, name: _, ...lead }: ReportedLead): ReportedOrder {
  return { ...lead, orderId: externalId, amountCents: 0, items: [] };
}
