// Which failed requests are repeated, and when.
import type { TributaryError } from './errors.ts';

/** The longest wait that a `Retry-After` can ask for; a longer one is left to the caller. */
const longestWaitSeconds = 60;

const [firstDelayMs, longestDelayMs] = [500, 8000];

export type Failure = Pick<TributaryError, 'status' | 'retryAfter'>;

type Attempt = {
  /** 0 for the first request. */
  attempt: number;
  maxRetries: number;
  /** Whether the request can be carried out twice without a second effect. */
  isRepeatable: boolean;
  /** Between 0 and 1: spreads the retries of many clients. */
  random: number;
};

/** The milliseconds until a failed request is repeated; null if it isn't. */
export function planRetry({ status, retryAfter }: Failure, { attempt, maxRetries, isRepeatable, random }: Attempt): number | null {
  if (attempt >= maxRetries || !mayRetry(status, isRepeatable)) return null;
  if (retryAfter !== null) return retryAfter > longestWaitSeconds ? null : retryAfter * 1000;
  const delay = Math.min(firstDelayMs * 2 ** attempt, longestDelayMs);
  return Math.round(delay * (0.5 + random / 2));
}

/** A request that was rejected with 429 had no effect. After any other failure, it may have had one. */
function mayRetry(status: number, isRepeatable: boolean): boolean {
  return status === 429 || (isRepeatable && (status === 0 || status >= 500));
}

/** Waits. Rejects as soon as the caller aborts the request. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
