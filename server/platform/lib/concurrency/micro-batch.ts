// Items that wait while others are being written are written together. Self-clocked: no timer, a batch
// starts when the one before it has come back, so a quiet time costs nothing and a flood pays for one
// commit instead of many. Callers are answered after the commit.

export type Batching<Item, Result> = {
  /** Writes the items and gives one result for each, in their order. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  /** Batches under way at once. */
  lanes: number;
  maxBatch: number;
  /** Items that may wait; beyond it `refuse` is thrown at once. */
  maxWaiting: number;
  /** For callers that are in no hurry: how long a batch waits for more. Without it there is no timer. */
  gatherMs?: number;
  refuse(): Error;
  /** A fault that is nobody's own, such as a lost database: trying each item alone would only make all wait. */
  isShared?(error: unknown): boolean;
};

type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void };

/** A function that puts an item into the next batch and gives its own result. */
export function microBatch<Item, Result>({
  run,
  lanes,
  maxBatch,
  maxWaiting,
  gatherMs,
  refuse,
  isShared = () => false,
}: Batching<Item, Result>) {
  const waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let isAwake = false;

  const settle = async (batch: Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error(`A batch of ${batch.length} gave ${results.length} results.`);
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (batch.length === 1 || isShared(error)) for (const { reject } of batch) reject(error);
      // One bad item must not fail its neighbours: each has a try of its own.
      else for (const one of batch) await settle([one]);
    }
  };
  const start = async (): Promise<void> => {
    isAwake = false;
    while (waiting.length > 0 && underWay < lanes) {
      underWay += 1;
      void settle(waiting.splice(0, maxBatch)).finally(() => {
        underWay -= 1;
        if (gatherMs === undefined) void start();
        else wake();
      });
    }
  };

  const wake = (): void => {
    if (isAwake || underWay >= lanes || waiting.length === 0) return;
    isAwake = true;
    if (gatherMs === undefined)
      setImmediate(start); // Requests that were read in the same turn go together.
    else setTimeout(start, gatherMs);
  };

  return (item: Item): Promise<Result> => {
    if (waiting.length >= maxWaiting) return Promise.reject(refuse());
    return new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      wake();
    });
  };
}
