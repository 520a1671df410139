// Stripe's library over our HTTP client. It never retries: whether a call may be repeated is decided by the
// code that tracks the payments.
import Stripe from 'stripe';
import { HttpFailure, type HttpRequest } from '../../../platform/lib/http.ts';
import { credentialsRejected, retryAfterSeconds, toConnectionOutcome, unknownOutcome } from '../outcomes.ts';
import type { Outcome, RailParts } from '../rail.ts';

export const name = 'Stripe';

export function createStripeClient({ config, secrets, http }: RailParts): Stripe {
  const { protocol, hostname, port } = new URL(String(config.baseUrl));
  const fetchThroughClient = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const headers = Object.fromEntries(new Headers(init.headers));
    const method = (init.method ?? 'GET') as 'GET' | 'POST' | 'DELETE';
    const request: HttpRequest = { method, url: String(url), headers };
    if (typeof init.body === 'string' && method !== 'GET') request.body = init.body;
    const response = await http(request);
    return new Response(response.status === 204 ? null : response.body, { status: response.status, headers: response.headers });
  };
  const host = { host: hostname, protocol: protocol === 'http:' ? ('http' as const) : ('https' as const) };
  const address = port === '' ? host : { ...host, port };
  return new Stripe(secrets.secretKey ?? '', {
    httpClient: Stripe.createFetchHttpClient(fetchThroughClient as never),
    ...address,
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

/** The outcome of a library error; null for a rejection. */
export function toErrorOutcome(error: unknown, clock: RailParts['clock']): Outcome | null {
  if (!(error instanceof Stripe.errors.StripeError)) return toConnectionOutcome(error, name);
  const { type, statusCode, code } = error;
  switch (type) {
    case 'StripeConnectionError': {
      const cause = error.detail as unknown;
      return cause instanceof HttpFailure
        ? toConnectionOutcome(cause, name)
        : unknownOutcome(`No response from ${name}; the payment may have been accepted.`);
    }
    case 'StripeAuthenticationError':
      return credentialsRejected(name);
    case 'StripePermissionError':
      return code === 'account_invalid' ? null : credentialsRejected(name);
    case 'StripeRateLimitError':
      return {
        outcome: 'retry_later',
        retryAfterSeconds: retryAfterSeconds(withHeaders(error.headers), clock),
        reason: `Rate limited by ${name}.`,
      };
    case 'StripeIdempotencyError':
      return unknownOutcome(`${name} has this payment with different details.`);
    case 'StripeCardError':
    case 'StripeInvalidRequestError':
      // 409: another call with this key is in progress, and may be paying.
      return [400, 402, 404].includes(statusCode ?? 0)
        ? null
        : unknownOutcome(`Unexpected response from ${name} (${statusCode ?? 'no status'}).`);
    default:
      return unknownOutcome(
        statusCode === undefined ? `Unreadable response from ${name}.` : `Unexpected response from ${name} (${statusCode}).`,
      );
  }
}

function withHeaders(headers: unknown): { headers: Record<string, string> } {
  return { headers: (headers ?? {}) as Record<string, string> };
}
