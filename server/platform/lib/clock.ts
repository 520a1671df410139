import { uptime } from 'node:os';

/** A change of the clock that isn't explained by the time that passed. `at` is the time shown right after it. */
export type ClockStep = { at: Date; byMs: number };

/** Where every time comes from; SQL never asks the database for `now()`. */
export type Clock = {
  now(): Date;
  /** The last step by more than five minutes that this process saw; null without one. Fixed clocks don't have it. */
  lastStep?(): ClockStep | null;
};

/** Smaller steps are ordinary corrections. */
export const largestStepMs = 5 * 60_000;

type Sources = {
  wallMs(): number;
  /** Time since the machine was started, sleep included; no setting of the clock changes it. */
  uptimeMs(): number;
};

/** A clock that compares the wall clock with the machine's uptime each time it is read. */
export function createClock({ wallMs, uptimeMs }: Sources): Required<Clock> {
  let last = { wall: wallMs(), uptime: uptimeMs() };
  let step: ClockStep | null = null;
  const now = () => {
    const wall = wallMs();
    // Reading the uptime takes a system call, so it isn't done more than once a second.
    if (Math.abs(wall - last.wall) < 1000) return new Date(wall);
    const current = { wall, uptime: uptimeMs() };
    const byMs = Math.round(current.wall - last.wall - (current.uptime - last.uptime));
    if (Math.abs(byMs) > largestStepMs) step = { at: new Date(wall), byMs };
    last = current;
    return new Date(wall);
  };
  return {
    now,
    lastStep() {
      now();
      return step;
    },
  };
}

/** `os.uptime` counts suspended time (CLOCK_BOOTTIME on Linux); `performance.now` doesn't, so waking up looks like a step to it. */
export const systemClock = createClock({ wallMs: Date.now, uptimeMs: () => uptime() * 1000 });

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
