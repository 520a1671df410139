// Stripe's own library over our way out. It repeats nothing by itself: whether a call may be made again is decided
// by whoever keeps the payments.
import Stripe from 'stripe';
import { HttpFailure } from '../../../platform/lib/http.ts';
import { credentialsRefused, retryAfterSeconds, unanswered, unknown } from '../answers.ts';
import type { Answer, RailParts } from '../rail.ts';

export const name = 'Stripe';

export function stripeClient({ config, secrets, http }: RailParts): Stripe {
  const { protocol, hostname, port } = new URL(String(config.baseUrl));
  const way = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const headers = Object.fromEntries(new Headers(init.headers));
    const method = (init.method ?? 'GET') as 'GET' | 'POST' | 'DELETE';
    const hasBody = typeof init.body === 'string' && method !== 'GET';
    const answer = await http({ method, url: String(url), headers, ...(hasBody && { body: String(init.body) }) });
    return new Response(answer.status === 204 ? null : answer.body, { status: answer.status, headers: answer.headers });
  };
  return new Stripe(secrets.secretKey ?? '', {
    httpClient: Stripe.createFetchHttpClient(way as never),
    ...{ host: hostname, protocol: protocol === 'http:' ? 'http' : 'https', ...(port !== '' && { port }) },
    ...{ maxNetworkRetries: 0, telemetry: false },
  });
}

/** What an error of the library says about a payment; null for a refusal. */
export function errorAnswer(error: unknown, clock: RailParts['clock']): Answer | null {
  if (!(error instanceof Stripe.errors.StripeError)) return unanswered(error, name);
  const { type, statusCode, code } = error;
  switch (type) {
    case 'StripeConnectionError': {
      const cause = error.detail as unknown;
      return cause instanceof HttpFailure ? unanswered(cause, name) : unknown(`${name} gave no answer; it may have taken the payment.`);
    }
    case 'StripeAuthenticationError':
      return credentialsRefused(name);
    case 'StripePermissionError':
      return code === 'account_invalid' ? null : credentialsRefused(name);
    case 'StripeRateLimitError':
      return {
        outcome: 'later',
        retryAfterSeconds: retryAfterSeconds(withHeaders(error.headers), clock),
        reason: `Rate limited by ${name}.`,
      };
    case 'StripeIdempotencyError':
      return unknown(`${name} knows this payment with other details.`);
    case 'StripeCardError':
    case 'StripeInvalidRequestError':
      // 409: another call with this key is under way right now. It may be paying.
      return [400, 402, 404].includes(statusCode ?? 0) ? null : unknown(`${name} answered ${statusCode ?? 'nothing'}.`);
    default:
      return unknown(statusCode === undefined ? `Unreadable response from ${name}.` : `${name} answered ${statusCode}.`);
  }
}

function withHeaders(headers: unknown): { headers: Record<string, string> } {
  return { headers: (headers ?? {}) as Record<string, string> };
}
