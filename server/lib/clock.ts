/** Where every time comes from; SQL never asks the database for `now()`. */
export type Clock = {
  now(): Date;
  /** Set for clocks that tell no real time: their steps mean nothing. */
  isSimulated?: true;
};

export const systemClock: Clock = { now: () => new Date() };

/** A clock that a test holds in its hand. */
export function fixedClock(start: string | Date): Clock & { advance(by: { days?: number; seconds?: number }): void } {
  let at = new Date(start).getTime();
  return {
    isSimulated: true,
    now: () => new Date(at),
    advance: ({ days = 0, seconds = 0 }) => {
      at += days * 86_400_000 + seconds * 1000;
    },
  };
}
