// Pseudorandom values from a seed, so that the demo is the same on every machine.

export type Random = {
  /** A whole number from 0 up to, but not including, `below`. */
  number(below: number): number;
  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T;
  /** True with a probability of `percent`. */
  happens(percent: number): boolean;
};

/** Uses mulberry32: small, and sufficient for demo and test data. */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const number = (below: number): number => Math.floor(next() * below);
  return {
    number,
    pick(items) {
      const item = items[number(items.length)];
      if (item === undefined) throw new Error('The list is empty.');
      return item;
    },
    happens: (percent) => next() * 100 < percent,
  };
}

/** Returns a function that picks items as often as their weights say. */
export function createWeightedPick<T>(items: readonly T[], weightOf: (item: T) => number): (random: Random) => T {
  const scale = 1_000_000;
  let sum = 0;
  const ends = items.map((item) => {
    sum += weightOf(item);
    return sum;
  });
  return (random) => {
    const at = (random.number(scale) * sum) / scale;
    const item = items[findFirstAbove(ends, at)];
    if (item === undefined) throw new Error('The list is empty.');
    return item;
  };
}

/** The index of the first of these ascending numbers that is greater than `value`. */
function findFirstAbove(ascending: readonly number[], value: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
