// What a shop reports of an order, and how it is read (Contract §4.6: idempotent on orderId).
import { z } from 'zod';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { cents, maxCents, timestampIn, uuid } from '../../platform/http/declaration/fields.ts';
import { emailKey } from '../../platform/lib/email-address.ts';
import { sumOf } from '../../platform/lib/money.ts';

const Item = z
  .object({
    productId: uuid.nullable().optional().describe('The product, by our id.'),
    externalProductId: externalIdentifier(200).nullable().optional().describe("The product, by the shop's id."),
    sku: externalIdentifier(200).nullable().optional(),
    name: externalIdentifier(200).nullable().optional(),
    quantity: z.int('must be a whole number').min(1, 'must be at least 1').max(100_000, 'must be at most 100000').default(1),
    amountCents: cents.describe('Of the whole line, before its discount.'),
    discountCents: cents.default(0),
  })
  .refine(({ amountCents, discountCents }) => discountCents <= amountCents, {
    path: ['discountCents'],
    error: 'must not exceed amountCents',
  })
  .meta({ id: 'OrderItem' });

const metadata = z
  .record(z.string().max(200), z.unknown())
  .refine((value) => JSON.stringify(value).length <= 10_240, { error: 'must not be larger than 10 kB' });

const Customer = z
  .object({
    externalId: externalIdentifier(255).nullable().optional(),
    email: z
      .string()
      .transform((text) => text.trim())
      .refine((text) => emailKey(text) !== null, { error: 'must be an email address' })
      .nullable()
      .optional()
      .describe('Kept only as a keyed hash.')
      .meta({ json: { type: ['string', 'null'], format: 'email', maxLength: 254 } }),
    isNew: z.boolean().nullable().optional(),
    country: z
      .string()
      .transform((text) => text.toUpperCase())
      .refine((text) => /^[A-Z]{2}$/.test(text), { error: 'must be a two-letter country code' })
      .nullable()
      .optional()
      .meta({ json: { type: ['string', 'null'], minLength: 2, maxLength: 2 } }),
  })
  .meta({ id: 'OrderCustomer' });

const money = z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code in capitals');

export const ReportedOrder = z
  .object({
    orderId: externalIdentifier(255).describe("The shop's own id; case-sensitive. Reporting it again credits nothing again."),
    amountCents: cents.describe(
      'Commissionable: after discounts, before tax and shipping. What it is below the items is an order discount: it is split over the ' +
        'items in proportion, and of equal remainders the odd cent is taken from the first item.',
    ),
    currency: money.optional().describe("Must be the program's."),
    affiliateId: uuid
      .nullable()
      .optional()
      .describe(
        'Credit this affiliate, whatever the other signals say. When they are not active, the order is not credited to anyone else: ' +
          '422 with `reason: "affiliate_not_active"`. A coupon of this affiliate still pays its own rate.',
      ),
    clickId: externalIdentifier(100).nullable().optional().describe('The `trb_click` that the visitor came with.'),
    couponCode: externalIdentifier(100)
      .nullable()
      .optional()
      .describe('Credits its affiliate. Its own rate applies when its affiliate is credited, by whichever signal.'),
    referralCode: externalIdentifier(100).nullable().optional().describe('A referral code or vanity slug.'),
    customer: Customer.nullable().optional(),
    items: z.array(Item).max(200).default([]),
    discountCents: cents.nullable().optional(),
    taxCents: cents.nullable().optional(),
    shippingCents: cents.nullable().optional(),
    subscription: z
      .object({
        externalId: externalIdentifier(255),
        sequence: z
          .int()
          .min(1)
          .max(1_000_000)
          .nullable()
          .optional()
          .describe('Which payment of the subscription this is, from 1. Above 1 it is never a first order.'),
      })
      .nullable()
      .optional(),
    occurredAt: timestampIn
      .optional()
      .describe('When the buyer ordered; default now. The order is paid by the rules, overrides and groups of this time.'),
    cartStartedAt: timestampIn.optional().describe('When the cart was begun: a click after it may be a hijacked checkout.'),
    subId: externalIdentifier(100).nullable().optional(),
    metadata: metadata.nullable().optional(),
  })
  .superRefine((order, check) => {
    if (order.items.length === 0) return;
    const total = order.items.reduce((all, { amountCents, discountCents }) => all + amountCents - discountCents, 0);
    if (total > maxCents * 2)
      check.addIssue({ code: 'custom', path: ['items'], message: `must not come to more than ${maxCents * 2} after their discounts` });
    if (order.amountCents > total)
      check.addIssue({
        code: 'custom',
        path: ['amountCents'],
        message: `must not exceed the items, which come to ${total} after their discounts; a lower amount is an order discount`,
      });
  })
  .meta({
    id: 'ReportedOrder',
    example: { orderId: 'FF-10023', amountCents: 4980, clickId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f', customer: { externalId: 'c-77' } },
  });
export type ReportedOrder = z.output<typeof ReportedOrder>;

/** What the items come to after their own discounts. */
export function itemsTotal({ items }: Pick<ReportedOrder, 'items'>): number {
  return sumOf(items.map(({ amountCents, discountCents }) => amountCents - discountCents));
}
