// Allocating a growing total to the lines of an order. Each delivery states the total refunded so far, and deliveries
// are late, repeated and out of order; so the share of a line must follow only from the total, and never fall while
// the total rises. Largest remainders don't guarantee that; Webster's divisor method does.

/**
 * Allocates `total` in proportion to `weights`, each part at most its weight. For a greater total no part is smaller.
 * All values are ≥ 0, and `total` is at most the sum of the weights.
 */
export function allocateTotal(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (total >= sum) return [...weights];
  const parts = weights.map((weight) => roundShare(weight, total, sum));
  let left = total - parts.reduce((all, part) => all + part, 0);
  for (; left > 0; left -= 1) addTo(parts, findNext(parts, weights), 1);
  for (; left < 0; left += 1) addTo(parts, findLast(parts, weights), -1);
  return parts;
}

function addTo(parts: number[], index: number, units: 1 | -1): void {
  parts[index] = (parts[index] ?? 0) + units;
}

/** weight × total / sum to the nearest integer, halves down. */
function roundShare(weight: number, total: number, sum: number): number {
  const exact = 2n * BigInt(weight) * BigInt(total) - BigInt(sum);
  return exact <= 0n ? 0 : Number((exact + 2n * BigInt(sum) - 1n) / (2n * BigInt(sum)));
}

/** The line whose next unit ranks first: unit k of weight w ranks at (k − ½) / w, ties by position. */
function findNext(parts: readonly number[], weights: readonly number[]): number {
  const open = parts.map((_, index) => index).filter((index) => (parts[index] ?? 0) < (weights[index] ?? 0));
  return open.reduce((best, index) => (ranksBefore(index, best, 1, parts, weights) ? index : best));
}

/** The line whose last unit ranks last. */
function findLast(parts: readonly number[], weights: readonly number[]): number {
  const used = parts.map((_, index) => index).filter((index) => (parts[index] ?? 0) > 0);
  return used.reduce((best, index) => (ranksBefore(best, index, 0, parts, weights) ? index : best));
}

function ranksBefore(a: number, b: number, ahead: 0 | 1, parts: readonly number[], weights: readonly number[]): boolean {
  const left = BigInt(2 * ((parts[a] ?? 0) + ahead) - 1) * BigInt(weights[b] ?? 0);
  const right = BigInt(2 * ((parts[b] ?? 0) + ahead) - 1) * BigInt(weights[a] ?? 0);
  return left < right || (left === right && a < b);
}
