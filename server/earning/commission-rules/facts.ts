// Everything the calculation of an order looks at. Stored with the conversion as it was, so that the
// result can be explained, proved and simulated later. Pure data: numbers, strings, nulls.

export type Line = {
  /** Its place in the order, from 0; an order without items is one line. */
  position: number;
  productId: string | null;
  category: string | null;
  name: string | null;
  quantity: number;
  /** After every discount, without tax and shipping: what the commission is calculated on. */
  amountCents: number;
};

export type Pay = { type: 'percentage' | 'flat' /** Percent, or cents. */; rate: number };

export type Earner = { id: string; groupId: string | null; override: Pay | null };

export type OrderFacts = {
  /** ISO 8601: when the order happened. */
  at: string;
  amountCents: number;
  lines: Line[];
  affiliate: Earner;
  /** Only an upline that was active when the order happened. */
  upline: Earner | null;
  /** The coupon that the order used. `pay` is its own rate, for lines of `productIds` (all lines when that is empty). */
  coupon: { id: string; pay: Pay | null; productIds: string[] } | null;
  /** The place of the order in its subscription, from 1. */
  sequence: number | null;
  country: string | null;
  isNewCustomer: boolean | null;
  /** Credited orders before this one, and the first one's time; null when the order names nobody. */
  customer: { orders: number; since: string | null } | null;
  /** All levels together pay at most this share of the order; null: no limit. */
  capPercent: number | null;
};
