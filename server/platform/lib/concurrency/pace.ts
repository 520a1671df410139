// Spreads calls evenly over time. Calls that begin together also end together, and everything else in the process
// waits for them; spread out, nobody notices. The pace follows from how long calls take, so it costs no speed.

/** Runs up to `atOnce` calls at once, beginning each its share of a usual call's time after the one before. */
export function pacer(atOnce: number, { now = () => performance.now(), sleep = pause } = {}) {
  let [nextAt, usualMs] = [0, 0];
  return {
    async run<T>(call: () => Promise<T>): Promise<T> {
      const turnAt = Math.max(now(), nextAt);
      nextAt = turnAt + usualMs / atOnce;
      if (turnAt > now()) await sleep(turnAt - now());
      const began = now();
      const outcome = await call();
      const ms = now() - began;
      usualMs = usualMs === 0 ? ms : usualMs * 0.9 + ms * 0.1;
      return outcome;
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
