// Amounts are integer cents in safe integers; a product of two of them is not, so every product is made
// in BigInt. One rounding in the whole system: half up on the magnitude, once per commission line.

import { ApiError } from './errors.ts';

/** The largest amount of one input and of one commission: 999,999,999.99. */
export const maxCents = 99_999_999_999;

/** The largest balance of an affiliate and of a program. Sums of a few of them are still safe integers. */
export const maxBalanceCents = 1_000_000_000_000_000;

/** 400. What the request asks for is more than can be counted exactly. */
export class AmountTooLarge extends ApiError {
  constructor(what = 'An amount') {
    super(400, 'amount_too_large', `${what} would become too large.`);
  }
}

/** Hundredths of a basis point: 12.5 % is 125,000 of 1,000,000. */
export const wholePpm = 1_000_000;

/** A rate in percent with at most 4 decimals as parts per million. Exact. */
export function toPpm(percent: number): number {
  return Math.round(percent * 10_000);
}

/** n / d, rounded half up on the magnitude: 2.5 → 3, −2.5 → −3. `d` > 0. */
export function divideRounded(n: bigint, d: bigint): bigint {
  if (d <= 0n) throw new RangeError('The divisor must be positive.');
  const magnitude = (2n * (n < 0n ? -n : n) + d) / (2n * d);
  return n < 0n ? -magnitude : magnitude;
}

/** That share of an amount, rounded to the cent. */
export function shareOf(cents: number, ppm: number): number {
  return toCents(divideRounded(BigInt(cents) * BigInt(ppm), BigInt(wholePpm)));
}

/** `cents` × `factor`, exact. Throws AmountTooLarge when it isn't a safe integer. */
export function multiplyCents(cents: number, factor: number): number {
  return toCents(BigInt(cents) * BigInt(factor));
}

/**
 * Splits `total` by weights without losing a cent: each part is at most one cent from its exact
 * share, leftover cents go to the largest remainders, ties to the earlier line. All ≥ 0; weights
 * that are all 0 count as equal.
 */
export function allocate(total: number, weights: readonly number[]): number[] {
  if (weights.length === 0) throw new RangeError('Nothing to split over.');
  const sum = weights.reduce((all, weight) => all + BigInt(weight), 0n);
  if (sum === 0n) {
    return allocate(
      total,
      weights.map(() => 1),
    );
  }
  const shares = weights.map((weight, index) => {
    const exact = BigInt(total) * BigInt(weight);
    return { index, cents: exact / sum, remainder: exact % sum };
  });
  let left = BigInt(total) - shares.reduce((all, { cents }) => all + cents, 0n);
  const parts = shares.map(({ cents }) => cents);
  const byRemainder = [...shares].sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  for (const { index } of byRemainder) {
    if (left === 0n) break;
    parts[index] = (parts[index] ?? 0n) + 1n;
    left -= 1n;
  }
  return parts.map(toCents);
}

/**
 * How much of a commission is taken back once `refundedCents` of its base are refunded, in all.
 * Cumulative, so that any number of refunds in any order ends at the same cent (reliability §3.4).
 */
export function calculateReversal(
  refundedCents: number,
  { commissionCents, baseCents }: { commissionCents: number; baseCents: number },
): number {
  if (refundedCents >= baseCents) return commissionCents;
  return toCents(divideRounded(BigInt(commissionCents) * BigInt(refundedCents), BigInt(baseCents)));
}

/** The sum of amounts. Throws AmountTooLarge when it isn't exact. */
export function sumOf(amounts: readonly number[]): number {
  const sum = amounts.reduce((all, cents) => all + cents, 0);
  if (!Number.isSafeInteger(sum)) throw new AmountTooLarge('A sum of amounts');
  return sum;
}

/** The sum of stored amounts, to be shown: it doesn't throw, so that one large amount doesn't keep the others from being read. */
export function sumForDisplay(amounts: readonly number[]): number {
  return amounts.reduce((all, cents) => all + cents, 0);
}

function toCents(value: bigint): number {
  const cents = Number(value);
  if (!Number.isSafeInteger(cents)) throw new AmountTooLarge();
  return cents;
}
