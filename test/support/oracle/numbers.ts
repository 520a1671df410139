// The arithmetic of the oracle: whole numbers without a limit, rounded half up once, split by largest remainder.

/** `a` × `b` / `divisor`, rounded half up. Nothing is negative. */
export function portion(a: number, b: number, divisor: number): number {
  const [product, by] = [BigInt(a) * BigInt(b), BigInt(divisor)];
  const whole = product / by;
  return Number((product % by) * 2n >= by ? whole + 1n : whole);
}

/** A percentage with up to 4 decimals of an amount. */
export const percentOf = (cents: number, percent: number): number => portion(cents, Math.round(percent * 10_000), 1_000_000);

/** Splits a total by weights: floors first, then one each to the largest remainders, the earlier one first. */
export function split(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (sum === 0)
    return split(
      total,
      weights.map(() => 1),
    );
  const exact = weights.map((weight) => BigInt(total) * BigInt(weight));
  const parts = exact.map((product) => Number(product / BigInt(sum)));
  const missing = total - parts.reduce((all, part) => all + part, 0);
  const order = exact
    .map((product, index) => ({ index, remainder: product % BigInt(sum) }))
    .sort((a, b) => (b.remainder > a.remainder ? 1 : b.remainder < a.remainder ? -1 : a.index - b.index));
  for (const { index } of order.slice(0, missing)) parts[index] = (parts[index] ?? 0) + 1;
  return parts;
}

export const add = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);
