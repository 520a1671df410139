// Chance that repeats: the demo looks the same on every machine.

export type Chance = {
  /** A whole number from 0 up to, but not including, `below`. */
  number(below: number): number;
  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T;
  /** True in `percent` of a hundred. */
  happens(percent: number): boolean;
};

/** mulberry32: small, and good enough to scatter names. */
export function chanceFrom(seed: number): Chance {
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
      if (item === undefined) throw new Error('Nothing to pick from.');
      return item;
    },
    happens: (percent) => next() * 100 < percent,
  };
}
