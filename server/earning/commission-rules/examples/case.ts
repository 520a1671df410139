// The form of a worked example: an order, the rules, and the expected commissions, calculated manually.
import type { CommissionRate, Earner, OrderFacts } from '../order-facts.ts';
import type { Rule } from '../terms.ts';
import { Terms } from '../terms.ts';

/** A line: cents, product, category, quantity. Defaults: no product, no category, 1. */
export type LineOf = [cents: number, product?: string | null, category?: string | null, quantity?: number];

export type Order = {
  lines: LineOf[];
  at?: string;
  group?: string;
  override?: CommissionRate;
  upline?: Partial<Earner>;
  couponUsed?: boolean;
  couponPays?: CommissionRate;
  couponProducts?: string[];
  /** The place of the order in its subscription. */
  sequence?: number;
  country?: string;
  isNew?: boolean;
  /** Credited orders before, and the time of the first. */
  before?: [orders: number, since: string | null];
  cap?: number | null;
};

/** An expected commission: level, rule or source, and cents. */
export type Paid = [level: 1 | 2, from: string, cents: number];

export type Case = {
  /** The guarantee that the example checks. */
  name: string;
  /** The calculation, in numbers. */
  sum: string;
  rules: Rule[];
  /** Orders that are calculated in sequence, each with its expected commissions. */
  orders: [order: Order, paid: Paid[]][];
};

type Given = Partial<Omit<Rule, 'terms'>> & Record<string, unknown>;

/** A rule by name; a percentage unless it has amountCents. */
export function rule(name: string, pays: number, given: Given = {}): Rule {
  const { level, productId, category, groupId, affiliateId, effectiveFrom, effectiveTo, isArchived, id, flat, ...terms } = given;
  return {
    id: id ?? name,
    version: 1,
    name,
    isArchived: isArchived ?? false,
    level: level ?? 1,
    productId: productId ?? null,
    category: category ?? null,
    groupId: groupId ?? null,
    affiliateId: affiliateId ?? null,
    effectiveFrom: effectiveFrom ?? null,
    effectiveTo: effectiveTo ?? null,
    terms: Terms.parse(flat ? { type: 'flat', amountCents: pays, ...terms } : { type: 'percentage', rate: pays, ...terms }),
  };
}

/** A flat amount in cents. */
export function flat(name: string, amountCents: number, given: Given = {}): Rule {
  return rule(name, amountCents, { ...given, flat: true });
}

/** An example with one order. */
export function one(name: string, sum: string, { rules, order, paid }: { rules: Rule[]; order: Order; paid: Paid[] }): Case {
  return { name, sum, rules, orders: [[order, paid]] };
}

export function factsOf(order: Order): OrderFacts {
  const lines = order.lines.map(([amountCents, productId = null, category = null, quantity = 1], position) => ({
    position,
    productId,
    category,
    name: null,
    quantity,
    amountCents,
  }));
  const productIds = order.couponProducts ?? [];
  const coupon = order.couponUsed || order.couponPays ? { id: 'coupon', pay: order.couponPays ?? null, productIds } : null;
  return {
    at: order.at ?? '2026-03-10T12:00:00.000Z',
    amountCents: lines.reduce((sum, { amountCents }) => sum + amountCents, 0),
    lines,
    affiliate: { id: 'ada', groupId: order.group ?? null, override: order.override ?? null },
    upline: order.upline ? { id: 'una', groupId: null, override: null, ...order.upline } : null,
    coupon,
    sequence: order.sequence ?? null,
    country: order.country ?? null,
    isNewCustomer: order.isNew ?? null,
    customer: order.before ? { orders: order.before[0], since: order.before[1] } : null,
    capPercent: order.cap === undefined ? 100 : order.cap,
  };
}
