// Amounts are integer cents within the safe integers. Products can exceed them, so they are calculated with BigInt. All
// rounding is half up on the magnitude, once per commission line.

import { ApiError } from './errors.ts';

/** The largest amount of an input or a commission: 999,999,999.99. */
export const maxCents = 99_999_999_999;

/** The largest balance of an affiliate or a program. Sums of a few of them are still safe integers. */
export const maxBalanceCents = 1_000_000_000_000_000;

/** 400. The result of the request exceeds the amounts that can be represented exactly. */
export class AmountTooLarge extends ApiError {
  constructor(what = 'An amount') {
    super(400, 'amount_too_large', `${what} would become too large.`);
  }
}

/** 100 % in parts per million: 12.5 % is 125,000. */
export const wholePpm = 1_000_000;

/** Converts a percentage with at most 4 decimals to parts per million, exactly. */
export function toPpm(percent: number): number {
  return Math.round(percent * 10_000);
}

/** n / d, rounded half up on the magnitude: 2.5 → 3, −2.5 → −3. `d` > 0. */
export function divideRounded(n: bigint, d: bigint): bigint {
  if (d <= 0n) throw new RangeError('The divisor must be positive.');
  const magnitude = (2n * (n < 0n ? -n : n) + d) / (2n * d);
  return n < 0n ? -magnitude : magnitude;
}

/** A share of an amount, rounded to the cent. */
export function shareOf(cents: number, ppm: number): number {
  return toCents(divideRounded(BigInt(cents) * BigInt(ppm), BigInt(wholePpm)));
}

/** `cents` × `factor`, exactly. Throws AmountTooLarge if the result isn't a safe integer. */
export function multiplyCents(cents: number, factor: number): number {
  return toCents(BigInt(cents) * BigInt(factor));
}

/**
 * Splits `total` by weights without losing a cent: each part is within one cent of its exact share, and leftover cents
 * go to the largest remainders, or to the earlier line if they are equal. No number is negative; if all weights are 0,
 * they count as equal.
 */
export function allocate(total: number, weights: readonly number[]): number[] {
  if (weights.length === 0) throw new RangeError('There are no weights to split by.');
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
  return parts.map((cents) => toCents(cents));
}

/**
 * The part of a commission that is reversed once a total of `refundedCents` of its base is refunded. Cumulative, so that
 * any number of refunds in any order results in the same amount.
 */
export function calculateReversal(
  refundedCents: number,
  { commissionCents, baseCents }: { commissionCents: number; baseCents: number },
): number {
  if (refundedCents >= baseCents) return commissionCents;
  return toCents(divideRounded(BigInt(commissionCents) * BigInt(refundedCents), BigInt(baseCents)));
}

/** The sum of amounts. Throws AmountTooLarge if it isn't exact. */
export function sumOf(amounts: readonly number[]): number {
  const sum = amounts.reduce((all, cents) => all + cents, 0);
  if (!Number.isSafeInteger(sum)) throw new AmountTooLarge('A sum of amounts');
  return sum;
}

/** The sum of stored amounts for display. It doesn't throw, so that one large amount can't make a whole list unreadable. */
export function sumForDisplay(amounts: readonly number[]): number {
  return amounts.reduce((all, cents) => all + cents, 0);
}

/** An amount that was calculated exactly. Throws AmountTooLarge, which names it as `what`, if it isn't a safe integer. */
export function toCents(value: bigint, what?: string): number {
  const cents = Number(value);
  if (!Number.isSafeInteger(cents)) throw new AmountTooLarge(what);
  return cents;
}
