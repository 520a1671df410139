// Converting amounts into the currency of a program. Rates are decimals, and amounts integers in the smallest unit of
// their currency; so the calculation is exact until it is rounded once, half up. Pure.
import { z } from 'zod';
import { currencyDecimals } from '../../platform/lib/currency.ts';
import { calculateReversal, divideRounded, toCents } from '../../platform/lib/money.ts';

export const RateSource = z.enum(['uploaded', 'ecb']);
export type RateSource = z.infer<typeof RateSource>;

/** An order before it was converted, and the rate of the conversion. Stored with the facts of the order. */
export const Exchange = z.object({
  /** The currency of the order. */
  currency: z.string(),
  /** The amount of the order in its currency, and of each of its lines. */
  amountCents: z.number(),
  lineCents: z.array(z.number()),
  /** What one unit of the order's currency is worth in the program's, such as `1.0842`. */
  rate: z.string(),
  /** The day of the rate: that of the order, or an earlier one. */
  quotedOn: z.string(),
  rateSource: RateSource,
});
export type Exchange = z.infer<typeof Exchange>;

/** A rate, and the currencies between which it converts. */
export type Conversion = { rate: string; from: string; to: string };

/** The most decimals of a rate. */
export const maxRateDecimals = 12;
const ratePattern = new RegExp(`^(\\d{1,9})(?:\\.(\\d{1,${maxRateDecimals}}))?$`);

/** Whether the text is a rate above 0 with up to 9 digits before and 12 after the decimal point. */
export function isRate(text: string): boolean {
  return ratePattern.test(text) && /[1-9]/.test(text);
}

/** The rate without leading and trailing zeros: `01.50` → `1.5`. */
export function normalizeRate(rate: string): string {
  const [whole = '', fraction = ''] = rate.split('.');
  const decimals = fraction.replace(/0+$/, '');
  return `${whole.replace(/^0+(?=\d)/, '')}${decimals === '' ? '' : `.${decimals}`}`;
}

/** A rate as an integer and its number of decimals: `1.0842` → 10842 and 4. */
export function parseRate(rate: string): { digits: bigint; places: number } {
  const [whole = '', fraction = ''] = rate.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length };
}

/**
 * An amount in the smallest unit of `to`, rounded half up: 10000 EUR at 1.0842 → 10842 USD; 500 JPY at 0.0065 → 325 USD.
 * Throws AmountTooLarge if it isn't a safe integer.
 */
export function convertCents(cents: number, { rate, from, to }: Conversion): number {
  const { digits, places } = parseRate(rate);
  const numerator = BigInt(cents) * digits * 10n ** BigInt(currencyDecimals(to));
  return toCents(divideRounded(numerator, 10n ** BigInt(places + currencyDecimals(from))), 'The converted amount');
}

/**
 * The reverse: an amount in the smallest unit of `to`, where the rate is what one unit of `to` is worth in `from`. Rounded half up:
 * 10000 USD at 1.0842 → 9223 EUR. Throws AmountTooLarge if it isn't a safe integer.
 */
export function convertBack(cents: number, { rate, from, to }: Conversion): number {
  const { digits, places } = parseRate(rate);
  const numerator = BigInt(cents) * 10n ** BigInt(places + currencyDecimals(to));
  return toCents(divideRounded(numerator, digits * 10n ** BigInt(currencyDecimals(from))), 'The converted amount');
}

/** A line as the buyer paid it, and as it was converted. */
export type ConvertedLine = { originalCents: number; amountCents: number };

/**
 * The converted amount of all that was refunded of a line so far: its share of the line. Until the line is refunded in
 * full, at least one cent of it remains; after that, nothing does.
 */
export function convertRefunded(refundedCents: number, { originalCents, amountCents }: ConvertedLine): number {
  if (refundedCents >= originalCents) return amountCents;
  const share = calculateReversal(refundedCents, { commissionCents: amountCents, baseCents: originalCents });
  return Math.min(share, Math.max(0, amountCents - 1));
}
