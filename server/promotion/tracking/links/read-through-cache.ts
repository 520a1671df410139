// The cache between visits and the database: one look-up per key at a time, and the last value when a look-up fails.
import type { Context } from '../../../context.ts';
import { createBatcher } from '../../../platform/lib/concurrency/micro-batch.ts';
import { withTimeout } from '../../../platform/lib/concurrency/timeout.ts';
import { Unavailable } from '../../../platform/lib/errors.ts';
import type { Progress } from '../recording/deadline.ts';

export type Cache<Key, Value> = {
  /** How far look-ups have come. */
  progress: Progress;
  /** Reads the value unless a fresh one is cached. Throws Unavailable when the read fails and nothing is cached. */
  get(key: Key): Value | null | Promise<Value | null>;
  /** The value that was read last, of any age; null if unknown. */
  getLast(key: Key): Value | null;
};

type Options<Key, Value> = { toName(key: Key): string; freshMs(value: Value | null): number };

const maxEntries = 20_000;
/** The statement timeout of the database (db/connect.ts). Visits have a shorter deadline. */
const readMs = 5000;

/** A bounded cache. Keys that are requested together are read together, and if a read fails, the last value is used. */
export function createReadThroughCache<Key, Value>(
  ctx: Context,
  read: (keys: readonly Key[]) => Promise<(Value | null)[]>,
  { toName, freshMs }: Options<Key, Value>,
): Cache<Key, Value> {
  const progress: Progress = { movedAt: 0 };
  const entries = new Map<string, { value: Value | null; until: number }>();
  const request = createBatcher<Key, Value | null | Unavailable>({
    concurrency: 2,
    maxBatch: 500,
    maxWaiting: 20_000,
    overloadError: () => new Unavailable('Too many links are being looked up. Try again.'),
    run: (keys) => withTimeout(readMs, read(keys)).catch((error) => keys.map(() => new Unavailable(error))),
  });
  const refresh = async (key: Key, name: string): Promise<Value | null> => {
    const value = await request(key).catch((error: Unavailable) => error);
    if (value instanceof Unavailable) {
      const last = entries.get(name);
      if (last) return last.value;
      throw value;
    }
    progress.movedAt = performance.now();
    entries.delete(name);
    const freshFor = freshMs(value);
    if (freshFor > 0) entries.set(name, { value, until: ctx.clock.now().getTime() + freshFor });
    if (entries.size > maxEntries) for (const oldest of entries.keys()) if (entries.delete(oldest)) break;
    return value;
  };
  /** One look-up per key at a time: requests for a key that is being read share the result, so that no work piles up. */
  const running = new Map<string, Promise<Value | null>>();
  return {
    progress,
    get(key) {
      const name = toName(key);
      const found = entries.get(name);
      if (found && ctx.clock.now().getTime() < found.until) return found.value;
      const refreshed = running.get(name) ?? refresh(key, name).finally(() => running.delete(name));
      running.set(name, refreshed);
      return refreshed;
    },
    getLast: (key) => entries.get(toName(key))?.value ?? null,
  };
}
