// Everything that the calculation of an order depends on. Stored with the conversion, so that the result can be
// explained, verified and simulated later.
import { z } from 'zod';
import { sumOf } from '../../platform/lib/money.ts';
import { Exchange } from '../exchange-rates/exchange.ts';

const Line = z.object({
  /** Its place in the order, from 0; an order without items is one line. */
  position: z.number(),
  productId: z.string().nullable(),
  category: z.string().nullable(),
  name: z.string().nullable(),
  quantity: z.number(),
  /** After every discount, without tax and shipping: what the commission is calculated on. */
  amountCents: z.number(),
});
export type Line = z.infer<typeof Line>;

/** `rate` is in percent, or in cents for a flat rate. */
const CommissionRate = z.object({ type: z.enum(['percentage', 'flat']), rate: z.number() });
export type CommissionRate = z.infer<typeof CommissionRate>;

const Earner = z.object({ id: z.string(), groupId: z.string().nullable(), override: CommissionRate.nullable() });
export type Earner = z.infer<typeof Earner>;

export const OrderFacts = z.object({
  /** A lead has one line of 0; absent for an order. */
  event: z.literal('lead').optional(),
  /** ISO 8601: when the order happened. */
  at: z.string(),
  amountCents: z.number(),
  lines: z.array(Line),
  affiliate: Earner,
  /** Only an upline that was active when the order happened. */
  upline: Earner.nullable(),
  /** The coupon that the order used. `pay` is its own rate, for lines of `productIds` (all lines when that is empty). */
  coupon: z.object({ id: z.string(), pay: CommissionRate.nullable(), productIds: z.array(z.string()) }).nullable(),
  /** The place of the order in its subscription, from 1. */
  sequence: z.number().nullable(),
  country: z.string().nullable(),
  isNewCustomer: z.boolean().nullable(),
  /** Credited orders before this one, and the first one's time; null when the order names no customer. */
  customer: z.object({ orders: z.number(), since: z.string().nullable() }).nullable(),
  /** All levels together pay at most this share of the order; null: no limit. */
  capPercent: z.number().nullable(),
  /** Of an order that was increased: its amount and number of lines as it was recorded. */
  initial: z.object({ amountCents: z.number(), lines: z.number() }).optional(),
  /** Of an order in another currency. All other amounts are in the currency of the program. */
  exchange: Exchange.optional(),
});
export type OrderFacts = z.infer<typeof OrderFacts>;

/**
 * The order as the buyer paid it: the amounts of an order in another currency, and of its lines, before they were converted.
 * For any other order, the facts themselves.
 */
export function inOrderCurrency(facts: OrderFacts): OrderFacts {
  const { exchange, initial, ...others } = facts;
  if (!exchange) return facts;
  const { amountCents, lineCents } = exchange;
  const lines = facts.lines.map((line, index) => ({ ...line, amountCents: lineCents[index] ?? 0 }));
  const reported: OrderFacts = { ...others, exchange, amountCents, lines };
  if (!initial) return reported;
  return { ...reported, initial: { ...initial, amountCents: sumOf(lineCents.slice(0, initial.lines)) } };
}

export type Item = { productId: string | null; category: string | null; amountCents: number };

/** An order of this one item, by a customer about whom nothing is known. */
export function toItemFacts({ productId, category, amountCents }: Item, earner: Earner, at: string): OrderFacts {
  return {
    at,
    amountCents,
    lines: [{ position: 0, productId, category, name: null, quantity: 1, amountCents }],
    affiliate: earner,
    upline: null,
    coupon: null,
    sequence: null,
    country: null,
    isNewCustomer: null,
    customer: null,
    capPercent: null,
  };
}

/** A lead of a customer about whom nothing is known: an order of one line of 0. */
export function toLeadFacts(earner: Earner, at: string): OrderFacts {
  return { ...toItemFacts({ productId: null, category: null, amountCents: 0 }, earner, at), event: 'lead' };
}
