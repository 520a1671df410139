// Repeatable chance for the programs and orders of the oracle: a seed gives the same ones on every machine.

export type Chance = {
  /** A whole number from `min` to `max`. */
  whole(min: number, max: number): number;
  one<Item>(items: readonly Item[]): Item;
  is(probability: number): boolean;
};

/** Mulberry32. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    whole,
    one(items) {
      const item = items[whole(0, items.length - 1)];
      if (item === undefined) throw new Error('There is nothing to choose from.');
      return item;
    },
    is: (probability) => next() < probability,
  };
}
