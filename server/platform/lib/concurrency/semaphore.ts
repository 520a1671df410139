// Limits concurrency. Callers beyond the limit wait in order of arrival, in a queue that is bounded in length and time.

export type SemaphoreOptions = {
  concurrency: number;
  maxWaiting: number;
  /** How long a caller may wait. Unset: without a limit. */
  maxWaitMs?: number;
  /** The error for callers that find the queue full, or waited too long. */
  overloadError(): Error;
};

type Release = () => void;

export type Semaphore = {
  /** Resolves with the function that releases the permit; calling it again has no effect. */
  acquire(): Promise<Release>;
  isIdle(): boolean;
};

type Waiting = { admit(release: Release): void };

export function createSemaphore({ concurrency, maxWaiting, maxWaitMs, overloadError }: SemaphoreOptions): Semaphore {
  const waiting: Waiting[] = [];
  let running = 0;

  const admit = (): Release => {
    running += 1;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      running -= 1;
      waiting.shift()?.admit(admit());
    };
  };

  const wait = (): Promise<Release> =>
    new Promise((resolve, reject) => {
      const entry: Waiting = {
        admit(release) {
          clearTimeout(timer);
          resolve(release);
        },
      };
      const giveUp = (): void => {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(overloadError());
      };
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
      waiting.push(entry);
    });

  return {
    async acquire() {
      if (running < concurrency) return admit();
      if (waiting.length >= maxWaiting) throw overloadError();
      return wait();
    },
    isIdle: () => running === 0,
  };
}

/** One semaphore per key, created on first use and removed once it is idle. */
export function createKeyedSemaphore(options: SemaphoreOptions): { acquire(key: string): Promise<Release> } {
  const semaphores = new Map<string, Semaphore>();
  return {
    async acquire(key) {
      const semaphore = semaphores.get(key) ?? createSemaphore(options);
      semaphores.set(key, semaphore);
      const release = await semaphore.acquire();
      return () => {
        release();
        if (semaphore.isIdle() && semaphores.get(key) === semaphore) semaphores.delete(key);
      };
    },
  };
}
