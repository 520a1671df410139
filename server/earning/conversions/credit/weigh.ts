// One order against everything that was found for it: who is credited, and the facts its commissions
// are calculated from. Orders of one batch are weighed in turn, and each sees the customers and coupons
// that the ones before it left.

import { canonicalUuid } from '../../../platform/lib/ids.ts';
import { type CouponTerms, couponAt, findCouponRejection } from '../../../promotion/coupons/redeem.ts';
import type { CommissionRate, Earner, Line, OrderFacts } from '../../commission-rules/order-facts.ts';
import { linesOf } from '../lines.ts';
import type { ReportedOrder } from '../order.ts';
import { type Attribution, attribute, type CouponHint, type Hints, type Policy } from './attribution.ts';
import { type Buyer, buyerOf, type OrderOfBuyer } from './buyer.ts';
import { type Customer, couponKey, type Found } from './look-up.ts';
import { isActive, type Person, personAt } from './people.ts';

export type Settings = Policy & { holdDays: number; capPercent: number | null; remembersCustomers: boolean; hashKey: Buffer };

export type Weighed = {
  order: OrderOfBuyer;
  at: Date;
  attribution: Attribution;
  /** Null when nobody can be credited. */
  credited: { person: Person; facts: OrderFacts } | null;
  buyer: Buyer;
};

/** Weighs an order, and leaves its customer and coupon counted in `found`. */
export function weigh(order: OrderOfBuyer, found: Found, settings: Settings, now: Date): Weighed {
  const at = order.occurredAt ?? now;
  const buyer = buyerOf(order, settings.hashKey);
  const keys = buyer.customerKeys;
  const customer = knownCustomer(keys, found);
  const moment = { at, cartStartedAt: order.cartStartedAt ?? null };
  const lines = linesOf(order, found.products);
  const coupon = couponOf(order, found, at);
  const hints = hintsOf(order, found, { customer, settings, at, coupon, lines });
  const attribution = attribute(hints, moment, settings, (id) => isActive(found.people, id));
  const person = attribution.credit && personAt(found.people, attribution.credit.affiliateId, at);
  const weighed = { order, at, attribution, buyer };
  if (!person) return { ...weighed, credited: null };
  const facts = factsOf(order, { at, person, customer: keys.length > 0 ? customer : undefined, coupon, lines, settings, attribution });
  remember(keys, found, { affiliateId: person.id, at });
  if (attribution.credit?.couponId) countRedemption(order, found);
  return { ...weighed, credited: { person, facts } };
}

function knownCustomer(keys: readonly string[], { customers }: Found): Customer | null {
  const known = keys.flatMap((key) => customers.get(key) ?? []);
  return known.sort((a, b) => b.orders - a.orders)[0] ?? null;
}

function remember(keys: readonly string[], { customers }: Found, { affiliateId, at }: { affiliateId: string; at: Date }): void {
  for (const key of keys) {
    const known = customers.get(key);
    // A customer whose orders were all refunded starts anew, but stays with the affiliate who brought them.
    const firstOrderAt = known && known.orders > 0 ? known.firstOrderAt : at;
    customers.set(key, { affiliateId: known?.affiliateId ?? affiliateId, firstOrderAt, orders: (known?.orders ?? 0) + 1 });
  }
}

/** The coupon that the order names, with its terms of that time. */
function couponOf({ couponCode }: ReportedOrder, { coupons }: Found, at: Date): CouponTerms | null {
  const coupon = couponCode ? coupons.get(couponKey(couponCode)) : undefined;
  return coupon ? couponAt(coupon, at) : null;
}

/** Later orders of the same batch see the redemption. */
function countRedemption({ couponCode }: ReportedOrder, { coupons }: Found): void {
  const key = couponKey(couponCode ?? '');
  const coupon = coupons.get(key);
  if (coupon) coupons.set(key, { ...coupon, redemptions: coupon.redemptions + 1 });
}

type Surroundings = { customer: Customer | null; settings: Settings; at: Date; coupon: CouponTerms | null; lines: readonly Line[] };

function hintsOf(order: ReportedOrder, found: Found, { customer, settings, at, coupon, lines }: Surroundings): Hints {
  const { affiliateId, couponCode, clickId, referralCode } = order;
  return {
    ...(affiliateId && { affiliateId }),
    ...(couponCode && { couponCode, coupon: coupon && couponHint(coupon, order, { at, lines }) }),
    ...(clickId && { clickId, visits: found.visits.get(canonicalUuid(clickId) ?? '') ?? [] }),
    ...(referralCode && { referralCode, referrer: found.links.get(referralCode.toLowerCase()) ?? null }),
    ...(settings.remembersCustomers && customer && { customerOf: customer.affiliateId }),
  };
}

function couponHint(coupon: CouponTerms, { amountCents }: ReportedOrder, { at, lines }: Pick<Surroundings, 'at' | 'lines'>): CouponHint {
  const { id, code, affiliateId, creditPolicy } = coupon;
  const productIds = lines.flatMap(({ productId }) => productId ?? []);
  return { id, code, affiliateId, creditPolicy, refusal: findCouponRejection(coupon, { at, amountCents, productIds }) };
}

type Inputs = {
  at: Date;
  person: Person;
  /** Undefined: the order names no customer. */
  customer: Customer | null | undefined;
  coupon: CouponTerms | null;
  lines: Line[];
  settings: Settings;
  attribution: Attribution;
};

function factsOf(order: ReportedOrder, { at, person, customer, coupon, lines, settings, attribution }: Inputs): OrderFacts {
  const upline = person.upline?.status === 'active' ? person.upline : null;
  return {
    at: at.toISOString(),
    amountCents: order.amountCents,
    lines,
    affiliate: earner(person),
    upline: upline && earner(upline),
    coupon: coupon && {
      id: coupon.id,
      pay: attribution.credit?.couponId === coupon.id ? payOf(coupon) : null,
      productIds: coupon.productIds,
    },
    sequence: order.subscription?.sequence ?? null,
    country: order.customer?.country ?? null,
    isNewCustomer: order.customer?.isNew ?? null,
    customer: customer === undefined ? null : history(customer),
    capPercent: settings.capPercent,
  };
}

function history(customer: Customer | null): OrderFacts['customer'] {
  return customer && customer.orders > 0
    ? { orders: customer.orders, since: customer.firstOrderAt.toISOString() }
    : { orders: 0, since: null };
}

function earner({ id, groupId, override }: Earner): Earner {
  return { id, groupId, override };
}

function payOf({ commissionType, commissionRate }: CouponTerms): CommissionRate | null {
  return commissionType !== null && commissionRate !== null ? { type: commissionType, rate: commissionRate } : null;
}
