/** Settles as the promise does, or rejects after `ms`: a visitor doesn't wait for a database that hangs. */
export function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** When work of one kind was last done: a queue that moves is slow, one that doesn't has a database that hangs. */
export type Progress = { movedAt: number };

const tickMs = 100;

/**
 * Rejects once `progress` hasn't moved for `ms`. Time is counted in short steps, so that a process that is too busy to read the answers it
 * has doesn't take its database for one that hangs. `stop` ends the wait.
 */
export function untilStuck(ms: number, progressOf: () => Progress): { stuck: Promise<never>; stop(): void } {
  const { promise: stuck, reject } = Promise.withResolvers<never>();
  let seen = progressOf().movedAt;
  let steps = 0;
  const step = (): void => {
    const { movedAt } = progressOf();
    steps = movedAt > seen ? 0 : steps + 1;
    seen = Math.max(seen, movedAt);
    if (steps * tickMs < ms) return;
    clearInterval(timer);
    reject(new Error(`no progress within ${ms} ms`));
  };
  const timer = setInterval(step, tickMs);
  return { stuck, stop: () => clearInterval(timer) };
}
