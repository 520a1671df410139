// One request of a delivery: to a public address, without redirects, limited in time and size.
import { performance } from 'node:perf_hooks';
import type { Context } from '../../../context.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { HttpFailure, type HttpResponse } from '../../../platform/lib/http.ts';
import type { AttemptOutcome } from '../deliveries/delivery.ts';
import type { Claimed } from './prepare.ts';

const timeoutMs = 12_000;
/** The status decides. Of the body, only the start is read, so that an endless one costs little. */
const responseLimit = { bytes: 64 * 1024, ms: 3000 };
const [storedBody, storedHeaders, storedHeader] = [8000, 40, 500];

export type Attempted = {
  outcome: AttemptOutcome;
  at: Date;
  durationMs: number;
  signature: string | null;
  response: HttpResponse | null;
  /** The answer was 410: the address does not want deliveries anymore. */
  isGone: boolean;
};

/** An attempt with its outcome. */
export type Recorded = { claimed: Claimed; attempted: Attempted };

/** Sends a delivery. Never throws. `signal` ends it early, with the outcome `interrupted`. */
export async function attemptDelivery(ctx: Context, { url, request }: Claimed, signal: AbortSignal): Promise<Attempted> {
  const [at, startedAt] = [systemTime(ctx), performance.now()];
  const end = (outcome: AttemptOutcome, signature: string | null, response: HttpResponse | null): Attempted => {
    const durationMs = Math.round(performance.now() - startedAt);
    return { outcome, at, durationMs, signature, response: response && shorten(response), isGone: response?.status === 410 };
  };
  if (request === null) return end('blocked', null, null);
  const { method, headers = {}, body, url: target = url } = request(at);
  const signature = headers['webhook-signature'] ?? null;
  try {
    const sent = { method, url: target, headers: { 'user-agent': 'Tributary-Webhooks', ...headers }, timeoutMs, responseLimit, signal };
    const response = await ctx.http(body === undefined ? sent : { ...sent, body });
    return end(response.status >= 200 && response.status < 300 ? 'succeeded' : 'rejected', signature, response);
  } catch (error) {
    if (signal.aborted) return end('interrupted', signature, null);
    return end(error instanceof HttpFailure ? error.reason : 'no_response', signature, null);
  }
}

/** What the log keeps of a response. PostgreSQL can't store NUL, and the log must not contain cookies. */
function shorten({ status, headers, body }: HttpResponse): HttpResponse {
  const kept = Object.entries(headers).filter(([name]) => name !== 'set-cookie');
  return {
    status,
    headers: Object.fromEntries(kept.slice(0, storedHeaders).map(([name, value]) => [name, clean(value).slice(0, storedHeader)])),
    body: clean(body).slice(0, storedBody).toWellFormed(),
  };
}

function clean(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD');
}
