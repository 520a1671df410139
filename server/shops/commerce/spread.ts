// How a growing total lies on the lines of an order. Every delivery says how much is given back in all, and
// deliveries come late, twice and in any order; so the share of a line must follow from the total alone and
// never fall while the total rises. Largest remainders don't do that; the divisor method of Webster does.

/**
 * `total` over lines in proportion to `weights`, each at most its weight. For a greater total no part is smaller.
 * All ≥ 0, and `total` at most the sum of the weights.
 */
export function spreadSteadily(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (total >= sum) return [...weights];
  const parts = weights.map((weight) => nearest(weight, total, sum));
  let left = total - parts.reduce((all, part) => all + part, 0);
  for (; left > 0; left -= 1) parts[nextUp(parts, weights)] = (parts[nextUp(parts, weights)] ?? 0) + 1;
  for (; left < 0; left += 1) parts[lastTaken(parts, weights)] = (parts[lastTaken(parts, weights)] ?? 0) - 1;
  return parts;
}

/** weight × total / sum to the nearest whole, halves down. */
function nearest(weight: number, total: number, sum: number): number {
  const exact = 2n * BigInt(weight) * BigInt(total) - BigInt(sum);
  return exact <= 0n ? 0 : Number((exact + 2n * BigInt(sum) - 1n) / (2n * BigInt(sum)));
}

/** Of all lines the one whose next unit comes first: the unit k of a weight w comes at (k − ½) / w, ties by place. */
function nextUp(parts: readonly number[], weights: readonly number[]): number {
  const open = parts.map((_, index) => index).filter((index) => (parts[index] ?? 0) < (weights[index] ?? 0));
  return open.reduce((best, index) => (comesBefore(index, best, 1, parts, weights) ? index : best));
}

function lastTaken(parts: readonly number[], weights: readonly number[]): number {
  const taken = parts.map((_, index) => index).filter((index) => (parts[index] ?? 0) > 0);
  return taken.reduce((best, index) => (comesBefore(best, index, 0, parts, weights) ? index : best));
}

function comesBefore(a: number, b: number, ahead: 0 | 1, parts: readonly number[], weights: readonly number[]): boolean {
  const left = BigInt(2 * ((parts[a] ?? 0) + ahead) - 1) * BigInt(weights[b] ?? 0);
  const right = BigInt(2 * ((parts[b] ?? 0) + ahead) - 1) * BigInt(weights[a] ?? 0);
  return left < right || (left === right && a < b);
}
