// The source of every time, a clock that is stopped for a transaction, and one for tests.
import { uptime } from 'node:os';

/** A change of the system clock that elapsed time does not explain. `at` is the new time. */
export type ClockStep = { at: Date; byMs: number };

/** The source of every time; SQL never uses `now()`. */
export type Clock = {
  now(): Date;
  /** The last step of more than five minutes since this process started, or null. Fixed clocks don't have it. */
  lastStep?(): ClockStep | null;
  /** The system clock, if this is the clock of a program in test mode (`platform/test-clocks`). */
  system?: Clock;
};

/**
 * The time by the system clock, for what must not follow the clock of a program in test mode: who may sign in, what expires for
 * security, audit entries, signatures that others verify, and what is kept for how long.
 */
export function systemTime({ clock }: { clock: Clock }): Date {
  return (clock.system ?? clock).now();
}

/** Whether this is the clock of a program in test mode that was advanced. */
export function isAhead(clock: Clock): boolean {
  return clock.system !== undefined && clock.now() > clock.system.now();
}

/** Smaller steps are usual corrections, such as by NTP. */
export const largestStepMs = 5 * 60_000;

type Sources = {
  wallMs(): number;
  /** Time since the machine started, including sleep; setting the clock does not change it. */
  uptimeMs(): number;
};

/** A clock that compares the wall clock with the machine's uptime each time it is read. */
export function createClock({ wallMs, uptimeMs }: Sources): Required<Omit<Clock, 'system'>> {
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

/** `os.uptime` includes suspended time (CLOCK_BOOTTIME on Linux); with `performance.now` a resume would look like a step. */
export const systemClock = createClock({ wallMs: Date.now, uptimeMs: () => uptime() * 1000 });

/**
 * The transaction, whose clock is stopped: all rows that it writes from now on have the same time, so that they can be
 * compared. After the ledger was locked, so that later changes have later times.
 */
export function stopClock<T extends { clock: Clock }>(tx: T): T {
  const at = tx.clock.now();
  return { ...tx, clock: { ...tx.clock, now: () => at } };
}

/** A clock for tests, which only changes when it is advanced. */
export function fixedClock(start: string | Date): Clock & { advance(by: { days?: number; minutes?: number; seconds?: number }): void } {
  let at = new Date(start).getTime();
  return {
    now: () => new Date(at),
    advance: ({ days = 0, minutes = 0, seconds = 0 }) => {
      at += days * 86_400_000 + minutes * 60_000 + seconds * 1000;
    },
  };
}
