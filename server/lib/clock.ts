/** Where every time comes from; SQL never asks the database for `now()`. */
export type Clock = {
  now(): Date;
  /** By how much it was set forward or back since the process began. Clocks that tell no real time have none. */
  stepMs?(): number;
};

const [beganAt, beganMonotonic] = [Date.now(), performance.now()];

export const systemClock: Clock = {
  now: () => new Date(),
  stepMs: () => Math.round(Date.now() - beganAt - (performance.now() - beganMonotonic)),
};

/** A clock that a test holds in its hand. */
export function fixedClock(start: string | Date): Clock & { advance(by: { days?: number; seconds?: number }): void } {
  let at = new Date(start).getTime();
  return {
    now: () => new Date(at),
    advance: ({ days = 0, seconds = 0 }) => {
      at += days * 86_400_000 + seconds * 1000;
    },
  };
}
