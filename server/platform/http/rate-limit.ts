// Rate limit per API key (Contract §8): a quota per minute with a burst on top, so that a client within the advertised
// quota never gets a 429.
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const windowSeconds = 60;

export type RateLimitResult = { allowed: boolean; headers: Record<string, string>; retryAfterSeconds: number };
export type RateLimit = (keyId: string, perMinute: number) => Promise<RateLimitResult>;

/** A rate limiter for this process. API keys with their own limit get a window of that size. */
export function createRateLimiter(): RateLimit {
  const windows = new Map<number, BurstyRateLimiter>();
  return async (keyId, perMinute) => {
    if (perMinute === 0) return { allowed: true, headers: {}, retryAfterSeconds: 0 };
    const window = windows.get(perMinute) ?? createBurstyWindow(perMinute);
    windows.set(perMinute, window);
    try {
      return toResult(await window.consume(keyId), perMinute, true);
    } catch (rejection) {
      if (rejection instanceof RateLimiterRes) return toResult(rejection, perMinute, false);
      throw rejection;
    }
  };
}

function createBurstyWindow(perMinute: number): BurstyRateLimiter {
  const createWindow = (points: number, keyPrefix: string) => new RateLimiterMemory({ points, duration: windowSeconds, keyPrefix });
  return new BurstyRateLimiter(createWindow(perMinute, 'minute'), createWindow(Math.floor(perMinute / 3), 'burst'));
}

/** `RateLimit` and `RateLimit-Policy` as in the IETF draft; `Retry-After` in seconds. */
function toResult(window: RateLimiterRes, perMinute: number, allowed: boolean): RateLimitResult {
  const resetSeconds = Math.max(1, Math.ceil(window.msBeforeNext / 1000));
  const headers = {
    'ratelimit-policy': `"api";q=${perMinute};w=${windowSeconds}`,
    ratelimit: `"api";r=${Math.max(0, window.remainingPoints)};t=${resetSeconds}`,
  };
  return { allowed, headers, retryAfterSeconds: resetSeconds };
}
