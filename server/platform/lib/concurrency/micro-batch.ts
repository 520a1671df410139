// Writes items that arrive together in one batch. A batch starts when the previous one has finished, without a timer:
// under low load nothing waits, and under high load many items share one commit. Results are returned after the commit.

export type BatchOptions<Item, Result> = {
  /** Writes the items and returns one result for each, in their order. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  /** How many batches run at the same time. */
  concurrency: number;
  maxBatch: number;
  /** How many items may wait; beyond that, items are rejected immediately with `overloadError`. */
  maxWaiting: number;
  overloadError(): Error;
  /** How long a batch waits for more items; unset for callers that should not wait. */
  lingerMs?: number;
  /** Resolves when a batch may run, with the function to call at its end. Items that arrive until then join it. */
  admit?(): Promise<() => void>;
  /** Whether an error affects every item, such as a lost connection, so that retrying the items one by one is pointless. */
  failsAll?(error: unknown): boolean;
};

type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void };

/** Adds an item to the next batch and resolves with the item's own result. `isIdle`: nothing waits, and no batch runs. */
export type Batcher<Item, Result> = ((item: Item) => Promise<Result>) & { isIdle(): boolean };

export function createBatcher<Item, Result>(options: BatchOptions<Item, Result>): Batcher<Item, Result> {
  const { run, concurrency, maxBatch, maxWaiting, lingerMs, admit, overloadError, failsAll = () => false } = options;
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let isScheduled = false;

  const settle = async (batch: Waiting<Item, Result>[], onEnd?: () => void): Promise<void> => {
    try {
      const results = batch.length === 0 ? [] : await run(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error(`A batch of ${batch.length} items returned ${results.length} results.`);
      const hasNext = waiting.length > 0;
      onEnd?.();
      // The next batch is sent before the results of this one are used, which takes a while.
      if (hasNext) await new Promise((resolve) => setImmediate(resolve));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (batch.length === 1 || failsAll(error)) for (const { reject } of batch) reject(error);
      // One invalid item must not fail the others, so each is retried separately.
      else for (const entry of batch) await settle([entry]);
      onEnd?.();
    }
  };

  const runNext = async (): Promise<void> => {
    const release = admit ? await admit() : undefined;
    await settle(waiting.splice(0, maxBatch), () => {
      release?.();
      running -= 1;
      if (lingerMs === undefined) start();
      else schedule();
    });
  };

  const start = (): void => {
    isScheduled = false;
    // With `admit`, the items are taken later, and a batch can turn out to be empty.
    while (waiting.length > 0 && running < concurrency) {
      running += 1;
      void runNext();
    }
  };

  const schedule = (): void => {
    if (isScheduled || running >= concurrency || waiting.length === 0) return;
    isScheduled = true;
    // Requests that were read in the same turn of the event loop share a batch.
    if (lingerMs === undefined) setImmediate(start);
    else setTimeout(start, lingerMs);
  };

  const add = (item: Item) => {
    if (waiting.length >= maxWaiting) return Promise.reject(overloadError());
    return new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
  };
  return Object.assign(add, { isIdle: () => running === 0 && waiting.length === 0 });
}
