// Requests per API key (Contract §8, decisions: 6,000 a minute and a burst on top of it, so that a
// client never meets a 429 below the advertised quota).
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const windowSeconds = 60;

export type Verdict = { allowed: boolean; headers: Record<string, string>; retryAfterSeconds: number };
export type RateLimit = (keyId: string, perMinute: number) => Promise<Verdict>;

/** A limiter of this process; keys with a limit of their own get a window of that size. */
export function createRateLimiter(): RateLimit {
  const windows = new Map<number, BurstyRateLimiter>();
  return async (keyId, perMinute) => {
    if (perMinute === 0) return { allowed: true, headers: {}, retryAfterSeconds: 0 };
    const window = windows.get(perMinute) ?? openWindow(perMinute);
    windows.set(perMinute, window);
    try {
      return verdict(await window.consume(keyId), perMinute, true);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return verdict(refusal, perMinute, false);
      throw refusal;
    }
  };
}

function openWindow(perMinute: number): BurstyRateLimiter {
  const windowOf = (points: number, keyPrefix: string) => new RateLimiterMemory({ points, duration: windowSeconds, keyPrefix });
  return new BurstyRateLimiter(windowOf(perMinute, 'minute'), windowOf(Math.floor(perMinute / 3), 'burst'));
}

/** `RateLimit` and `RateLimit-Policy` as in the IETF draft; `Retry-After` in seconds. */
function verdict(window: RateLimiterRes, perMinute: number, allowed: boolean): Verdict {
  const resetSeconds = Math.max(1, Math.ceil(window.msBeforeNext / 1000));
  const headers = {
    'ratelimit-policy': `"api";q=${perMinute};w=${windowSeconds}`,
    ratelimit: `"api";r=${Math.max(0, window.remainingPoints)};t=${resetSeconds}`,
  };
  return { allowed, headers, retryAfterSeconds: resetSeconds };
}
