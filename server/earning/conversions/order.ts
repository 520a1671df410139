// An order as a store reports it, and the lines that its commissions are calculated on.
import { z } from 'zod';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { cents, currencyIn, logged, maxCents, timestampIn, uuid } from '../../platform/http/declaration/fields.ts';
import { deliveryKey } from '../../platform/lib/email-address.ts';
import { allocate, sumOf } from '../../platform/lib/money.ts';
import type { Line } from '../commission-rules/order-facts.ts';

export const OrderItem = z
  .object({
    productId: uuid.nullable().optional().describe('The id of the product in Tributary.'),
    externalProductId: logged(externalIdentifier(200)).nullable().optional().describe('The id of the product in the store.'),
    sku: logged(externalIdentifier(200)).nullable().optional(),
    name: logged(externalIdentifier(200)).nullable().optional(),
    quantity: z.int('must be a whole number').min(1, 'must be at least 1').max(100_000, 'must be at most 100000').default(1),
    amountCents: cents.describe('The amount of the whole line, before its discount.'),
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
      .refine((text) => deliveryKey(text) !== null, { error: 'must be an email address' })
      .nullable()
      .optional()
      .describe('Stored only as a keyed hash, with the domain of the provider if the address expires.')
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

export const ReportedOrder = z
  .object({
    orderId: logged(externalIdentifier(255)).describe(
      "The store's id for the order; case-sensitive. Reporting the same order again has no effect.",
    ),
    amountCents: cents.describe(
      'The commissionable amount: after discounts, before tax and shipping. If it is less than the sum of the items, the ' +
        'difference is an order discount, which is split over the items in proportion; if remainders are equal, the first item ' +
        'receives the extra cent.',
    ),
    currency: currencyIn
      .optional()
      .describe(
        'The currency of all amounts of the order. Default: that of the program. An order in another one is converted if the ' +
          'program has a source of exchange rates (`exchangeRateSource`).',
      ),
    affiliateId: uuid
      .nullable()
      .optional()
      .describe(
        'Credits this affiliate and overrides all other signals. If the affiliate is not active, no other affiliate is credited: ' +
          '422 with `reason: "affiliate_not_active"`. A coupon of this affiliate still pays its own rate.',
      ),
    clickId: logged(externalIdentifier(100)).nullable().optional().describe('The `trb_click` parameter of the visit.'),
    couponCode: logged(externalIdentifier(100))
      .nullable()
      .optional()
      .describe("Credits the affiliate of the coupon. The coupon's own rate applies whenever this affiliate is credited, by any signal."),
    referralCode: logged(externalIdentifier(100)).nullable().optional().describe('A referral code or vanity slug.'),
    customer: Customer.nullable().optional(),
    items: z.array(OrderItem).max(200).default([]),
    discountCents: cents.nullable().optional(),
    taxCents: cents.nullable().optional(),
    shippingCents: cents.nullable().optional(),
    subscription: z
      .object({
        externalId: logged(externalIdentifier(255)),
        sequence: z
          .int()
          .min(1)
          .max(1_000_000)
          .nullable()
          .optional()
          .describe('The number of this payment within the subscription, from 1. An order with a number above 1 is never a first order.'),
      })
      .nullable()
      .optional(),
    occurredAt: timestampIn
      .optional()
      .describe('When the order was placed; default: now. The rules, overrides and groups that were in effect at this time apply.'),
    cartStartedAt: timestampIn.optional().describe('When the cart was started: a later click may be a hijacked checkout.'),
    subId: logged(externalIdentifier(100)).nullable().optional(),
    metadata: metadata.nullable().optional(),
  })
  .superRefine(checkItems)
  .meta({
    id: 'ReportedOrder',
    example: { orderId: 'FF-10023', amountCents: 4980, clickId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f', customer: { externalId: 'c-77' } },
  });
export type ReportedOrder = z.output<typeof ReportedOrder>;

type Items = { items: z.output<typeof OrderItem>[]; amountCents: number };

/** The items must not add up to less than the order, or to more than can be calculated exactly. */
export function checkItems({ items, amountCents }: Items, check: z.core.$RefinementCtx): void {
  if (items.length === 0) return;
  const total = items.reduce((all, item) => all + item.amountCents - item.discountCents, 0);
  if (total > maxCents * 2)
    check.addIssue({ code: 'custom', path: ['items'], message: `must not exceed ${maxCents * 2} in total after their discounts` });
  if (amountCents > total)
    check.addIssue({
      code: 'custom',
      path: ['amountCents'],
      message: `must not exceed the sum of the items after their discounts (${total}); a lower amount is an order discount`,
    });
}

/** A product that an item can name, by any of its ids. */
export type KnownProduct = { id: string; externalId: string | null; sku: string | null; name: string; category: string | null };

type Item = ReportedOrder['items'][number];

/** The product of an item: by its id, else by the store's id, else by the SKU. Null if none of them is known. */
export function findProduct({ productId, externalProductId, sku }: Item, products: readonly KnownProduct[]): KnownProduct | null {
  return (
    (productId && products.find(({ id }) => id === productId)) ||
    (externalProductId && products.find(({ externalId }) => externalId === externalProductId)) ||
    (sku && products.find((product) => product.sku === sku)) ||
    null
  );
}

/**
 * The lines of an order, which add up to its amount; a single one if it has no items. A discount on the whole order is
 * split over the lines in proportion. Leftover cents of it go to the largest remainders, then to the earlier lines.
 */
export function buildLines(
  { amountCents, items }: Pick<ReportedOrder, 'amountCents' | 'items'>,
  products: readonly KnownProduct[],
): Line[] {
  if (items.length === 0) return [{ position: 0, productId: null, category: null, name: null, quantity: 1, amountCents }];
  const discounted = items.map((item) => item.amountCents - item.discountCents);
  const discounts = allocate(sumOf(discounted) - amountCents, discounted);
  return items.map((item, position) => {
    const product = findProduct(item, products);
    return {
      position,
      productId: product?.id ?? null,
      category: product?.category ?? null,
      name: product?.name ?? item.name ?? item.sku ?? item.externalProductId ?? null,
      quantity: item.quantity,
      amountCents: (discounted[position] ?? 0) - (discounts[position] ?? 0),
    };
  });
}
