// Equal reads that wait at the same time run once: a page that many visitors open costs one read for all of them. Only
// requests that arrived before a read started share it, so a response is never older than their own.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { toApiError } from '../../db/constraints.ts';

/** The reads of a key. `next` starts when `running` has ended. */
type Reads<T> = { running: Promise<T> | null; next: Promise<T> | null };

/** Returns a function that runs `read` and resolves with its result, or with that of an equal read that has not started. */
export function createCoalescer<T>(): (key: string, read: () => Promise<T>) => Promise<T> {
  const keys = new Map<string, Reads<T>>();
  return (key, read) => {
    const reads = keys.get(key) ?? { running: null, next: null };
    keys.set(key, reads);
    if (reads.next) return reads.next;
    const next = startNext(reads, read);
    reads.next = next;
    const forget = () => {
      if (!reads.running && !reads.next) keys.delete(key);
    };
    next.then(forget, forget);
    return next;
  };
}

async function startNext<T>(reads: Reads<T>, read: () => Promise<T>): Promise<T> {
  try {
    // Requests that are read from their connections in the same turn share a read.
    await (reads.running ? reads.running.catch(throwOutage) : nextTurn());
  } finally {
    reads.next = null;
  }
  const running = read();
  reads.running = running;
  try {
    return await running;
  } finally {
    if (reads.running === running) reads.running = null;
  }
}

/** While the database is unreachable, a request does not wait for a second timeout. Other errors concern only their read. */
function throwOutage(error: unknown): void {
  if (toApiError(error)?.status === 503) throw error;
}
