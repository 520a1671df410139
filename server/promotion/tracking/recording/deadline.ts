/** Settles like the promise, or rejects after `ms`: a visitor doesn't wait for an unresponsive database. */
export function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no response within ${ms} ms`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** When work of one kind was last completed: a queue that moves is slow, one that doesn't has an unresponsive database. */
export type Progress = { movedAt: number };

const tickMs = 100;

/**
 * Rejects once `progress` hasn't moved for `ms`. Time is counted in short steps, so that a process that is too busy to
 * read the responses it has doesn't mistake its database for unresponsive. `stop` ends the wait.
 */
export function watchProgress(ms: number, getProgress: () => Progress): { stuck: Promise<never>; stop(): void } {
  const { promise: stuck, reject } = Promise.withResolvers<never>();
  let lastMove = getProgress().movedAt;
  let steps = 0;
  const step = (): void => {
    const { movedAt } = getProgress();
    steps = movedAt > lastMove ? 0 : steps + 1;
    lastMove = Math.max(lastMove, movedAt);
    if (steps * tickMs < ms) return;
    clearInterval(timer);
    reject(new Error(`no progress within ${ms} ms`));
  };
  const timer = setInterval(step, tickMs);
  return { stuck, stop: () => clearInterval(timer) };
}
