// Spaces calls evenly over time. Calls that start together also finish together and then block the event loop in
// bursts. The spacing follows from the measured duration of calls, so it does not reduce throughput.

/** Runs up to `concurrency` calls in parallel; each starts a fraction of the usual call duration after the previous one. */
export function createPacer(concurrency: number, { now = () => performance.now(), sleep = pause } = {}) {
  let [nextStartAt, usualMs] = [0, 0];
  return {
    async run<T>(call: () => Promise<T>): Promise<T> {
      const startAt = Math.max(now(), nextStartAt);
      nextStartAt = startAt + usualMs / concurrency;
      if (startAt > now()) await sleep(startAt - now());
      const startedAt = now();
      const result = await call();
      const ms = now() - startedAt;
      usualMs = usualMs === 0 ? ms : usualMs * 0.9 + ms * 0.1;
      return result;
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
