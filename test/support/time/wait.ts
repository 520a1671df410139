// The one place where tests let time pass. A test waits for what happens (`until`), or checks that something doesn't happen
// for a while (`holdsFor`); `elapse` is for a simulated delay, such as a slow provider, or a measurement.
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 10;

type Condition = () => boolean | Promise<boolean>;

/** Waits until `isTrue`. Fails after `timeoutMs`, a minute by default, since slow machines run tests, too. */
export async function until(what: string, isTrue: Condition, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs / 1000} s in vain until ${what}.`);
    await sleep(pollMs);
  }
}

/** Fails as soon as `isTrue` doesn't hold, and returns after `forMs`. */
export async function holdsFor(forMs: number, what: string, isTrue: Condition): Promise<void> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < forMs) {
    if (!(await isTrue())) throw new Error(`Not true after ${Math.round(performance.now() - startedAt)} ms: ${what}.`);
    await sleep(pollMs);
  }
}

/** Time that a simulated provider, a retrying client, a moment chosen at random or a measurement takes. */
export function elapse(ms: number): Promise<void> {
  return sleep(ms);
}
