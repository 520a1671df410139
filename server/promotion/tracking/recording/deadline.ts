/** When work of one kind was last completed: a queue that moves is slow, one that doesn't has an unresponsive database. */
export type Progress = { movedAt: number };

const tickMs = 100;

type Waiting = { ms: number; getProgress(): Progress; lastMove: number; steps: number; fail(error: unknown): void };

/** Everything that waits in this process shares one timer, which runs while something waits. */
const waiting = new Set<Waiting>();
let timer: NodeJS.Timeout | null = null;

/**
 * Settles like the promise, or rejects once `getProgress` hasn't moved for `ms`. Time is counted in short steps, so that a
 * process that is too busy to read the responses it has doesn't mistake its database for unresponsive.
 */
export function unlessStuck<T>(promise: Promise<T>, ms: number, getProgress: () => Progress): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      waiting.delete(entry);
      reject(error);
    };
    const entry = { ms, getProgress, lastMove: getProgress().movedAt, steps: 0, fail };
    waiting.add(entry);
    timer ??= setInterval(step, tickMs);
    promise.then((value) => {
      waiting.delete(entry);
      resolve(value);
    }, fail);
  });
}

function step(): void {
  if (timer !== null && waiting.size === 0) {
    clearInterval(timer);
    timer = null;
  }
  for (const entry of waiting) {
    const { movedAt } = entry.getProgress();
    entry.steps = movedAt > entry.lastMove ? 0 : entry.steps + 1;
    entry.lastMove = Math.max(entry.lastMove, movedAt);
    // The first step can be shorter than the others.
    if (entry.steps * tickMs > entry.ms) entry.fail(new Error(`no progress within ${entry.ms} ms`));
  }
}
