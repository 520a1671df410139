// An independent calculation of orders in other currencies and their refunds, and random ones. Amounts are exact
// fractions until they are rounded; nothing is shared with the service.
import type { Chance } from './random.ts';

/** The decimals of the currencies that random orders are in. */
export const decimals = { EUR: 2, GBP: 2, CHF: 2, JPY: 0, KRW: 0, KWD: 3, USD: 2 } as const;
export type OracleCurrency = keyof typeof decimals;

/** The six currencies of random orders of a program in USD. */
export const foreign = ['EUR', 'GBP', 'CHF', 'JPY', 'KRW', 'KWD'] as const satisfies OracleCurrency[];

type Fraction = { top: bigint; bottom: bigint };

/** The nearest whole number; a half is rounded up. */
function round({ top, bottom }: Fraction): bigint {
  const whole = top / bottom;
  return (top % bottom) * 2n >= bottom ? whole + 1n : whole;
}

const tenTo = (power: number) => 10n ** BigInt(power);

/** The exact value of an amount at a rate, in the smallest unit of `to`. */
function toExact(cents: number, rate: string, from: OracleCurrency, to: OracleCurrency): Fraction {
  const point = rate.indexOf('.');
  const places = point < 0 ? 0 : rate.length - point - 1;
  const digits = BigInt(rate.replace('.', ''));
  return { top: BigInt(cents) * digits * tenTo(decimals[to]), bottom: tenTo(places) * tenTo(decimals[from]) };
}

type Rated = { rate: string; from: OracleCurrency; to: OracleCurrency };

/** What an order and its lines are in the currency of the program. */
export function expectConverted(lineCents: readonly number[], { rate, from, to }: Rated): { amountCents: number; lines: number[] } {
  const sum = lineCents.reduce((all, cents) => all + cents, 0);
  const amount = round(toExact(sum, rate, from, to));
  if (sum === 0) return { amountCents: 0, lines: lineCents.map(() => 0) };
  const shares = lineCents.map((cents, index) => {
    const product = amount * BigInt(cents);
    return { index, whole: product / BigInt(sum), rest: product % BigInt(sum) };
  });
  const missing = Number(amount - shares.reduce((all, { whole }) => all + whole, 0n));
  const first = [...shares].sort((a, b) => (b.rest > a.rest ? 1 : b.rest < a.rest ? -1 : a.index - b.index)).slice(0, missing);
  const raised = new Set(first.map(({ index }) => index));
  return { amountCents: Number(amount), lines: shares.map(({ whole, index }) => Number(whole) + (raised.has(index) ? 1 : 0)) };
}

/** What all refunds of a line are in the currency of the program, after `refundedCents` of its `lineCents`. */
export function expectRefunded(refundedCents: number, lineCents: number, convertedCents: number): number {
  if (refundedCents === lineCents) return convertedCents;
  const share = Number(round({ top: BigInt(convertedCents) * BigInt(refundedCents), bottom: BigInt(lineCents) }));
  return share >= convertedCents ? Math.max(0, convertedCents - 1) : share;
}

/** About what one unit of each currency is worth in USD. */
const about: Record<OracleCurrency, number> = { EUR: 1.08, GBP: 1.27, CHF: 1.13, JPY: 0.0067, KRW: 0.00074, KWD: 3.26, USD: 1 };

/** A rate with between 1 and 12 decimals, the last of which is not 0. */
export function randomRate(chance: Chance, from: OracleCurrency, to: OracleCurrency): string {
  const rate = (about[from] / about[to]) * (chance.whole(700, 1300) / 1000);
  const places = rate < 0.1 ? chance.whole(6, 12) : chance.whole(1, 12);
  return rate.toFixed(places).replace(/0$/, '7');
}

/** The amounts of the lines of an order: many are small, some are 0, few are very large. */
export function randomLines(chance: Chance, max = 5): number[] {
  return Array.from({ length: chance.whole(1, max) }, () => chance.whole(0, chance.one([1, 9, 300, 20_000, 3_000_000])));
}
