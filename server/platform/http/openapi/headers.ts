// Response headers, each described once among the components of the document.
import type { Json } from './schemas.ts';

const header = (description: string, type = 'string') => ({ description, schema: { type } });

export const headers: Record<string, Json> = {
  'X-Request-Id': header('Identifies the request. Quote it when you ask for help.'),
  RateLimit: header('What is left of the rate limit, and the seconds until it resets.'),
  'RateLimit-Policy': header('The rate limit and its window in seconds.'),
  'Retry-After': header('Seconds to wait before the next attempt.', 'integer'),
  'Idempotent-Replayed': header('`true` for the stored response of an earlier request with the same `Idempotency-Key`.'),
  'WWW-Authenticate': header('Always `Bearer`.'),
};

/** References to these headers. */
export function toHeaders(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
