// Amounts of shops in minor units of ours: what they write as decimal texts, and how Stripe counts.
import { z } from 'zod';
import { changeDecimals, currencyDecimals } from '../../platform/lib/currency.ts';
import { divideRounded } from '../../platform/lib/money.ts';

/** How shops write an amount. */
export const money = z.union([z.string(), z.number()]);

/** A decimal text or number in minor units, rounded half up where a shop splits a unit. Null for what is no amount. */
export function minorUnits(value: unknown, currency: string): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const found = /^(-?)(\d{1,13})(?:\.(\d{1,20}))?$/.exec(String(value).trim());
  if (!found) return null;
  const [, sign = '', whole = '', fraction = ''] = found;
  const exact = BigInt(whole + fraction) * 10n ** BigInt(currencyDecimals(currency));
  const units = Number(divideRounded(exact, 10n ** BigInt(fraction.length)));
  if (!Number.isSafeInteger(units)) return null;
  return sign === '-' && units !== 0 ? -units : units;
}

// Stripe counts these in hundredths although the currency has none.
const hundredthsAtStripe = new Set(['ISK', 'UGX']);

/** What Stripe counts in its smallest unit. Null where that is no whole unit of the currency. */
export function stripeUnits(amount: number, currency: string): number | null {
  return hundredthsAtStripe.has(currency) ? changeDecimals(amount, 2, 0) : amount;
}

/** The same the other way. */
export function toStripeUnits(cents: number, currency: string): number {
  return hundredthsAtStripe.has(currency) ? cents * 100 : cents;
}

/** The share of `cents` that a part of a total is; all of it from the whole on. Cumulative parts give cumulative shares. */
export function shareOfWhole(cents: number, part: number, whole: number | null): number {
  if (whole === null) return Math.min(part, cents);
  if (part >= whole) return cents;
  return Number(divideRounded(BigInt(cents) * BigInt(part), BigInt(whole)));
}
