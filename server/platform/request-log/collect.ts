// Collects logged requests in memory and writes them in batches, beside the requests. If the database is slower than the
// requests, the newest are dropped and counted: the log never makes a request wait, and its memory is limited.
import type { LoggedRequest } from './describe-request.ts';

const everyMs = 1000;
const maxWaiting = 2000;

type Parts = {
  /** Writes requests of one program. */
  write(programId: string, requests: readonly LoggedRequest[]): Promise<void>;
  /** Called with the number of requests that were not logged since the last batch, and why. */
  onDropped(count: number, cause: unknown): void;
};

export type RequestLog = {
  add(request: LoggedRequest): void;
  /** Writes what waits, and stops. */
  close(): Promise<void>;
};

/** Starts collecting. Nothing is written by `add`. */
export function startRequestLog({ write, onDropped }: Parts): RequestLog {
  let waiting: LoggedRequest[] = [];
  let overflow = 0;
  let writing: Promise<void> = Promise.resolve();
  let isWriting = false;

  const writeWaiting = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    if (overflow > 0) onDropped(overflow, 'full');
    overflow = 0;
    for (const [programId, requests] of Map.groupBy(batch, (request) => request.programId))
      await write(programId, requests).catch((error: unknown) => onDropped(requests.length, error));
  };
  const flush = (): Promise<void> => {
    if (isWriting) return writing;
    isWriting = true;
    writing = writeWaiting().finally(() => {
      isWriting = false;
    });
    return writing;
  };
  const timer = setInterval(() => void (waiting.length > 0 || overflow > 0 ? flush() : null), everyMs).unref();
  return {
    add(request) {
      if (waiting.length < maxWaiting) waiting.push(request);
      else overflow += 1;
    },
    async close() {
      clearInterval(timer);
      await writing;
      await flush();
    },
  };
}
