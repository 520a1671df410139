// How long random tests are, and how one of their runs is repeated.

const length = Number(process.env.TEST_LENGTH ?? 1);

/** `TEST_LENGTH=20` makes every random test twenty times as long. */
export const isLong = length > 1;

/** How often a random test does something that it does `short` times by default. */
export function often(short: number): number {
  return Math.max(1, Math.round(short * length));
}

/** `TEST_SEED=7` repeats what chance chose for the seed that a failure names; null: the test's own seeds. */
export const givenSeed = process.env.TEST_SEED === undefined ? null : Number(process.env.TEST_SEED);
