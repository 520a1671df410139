// Response headers, described once in the components of the document.
import type { Json } from './schemas.ts';

const header = (description: string, type = 'string') => ({ description, schema: { type } });

export const headers: Record<string, Json> = {
  'X-Request-Id': header('Identifies the request. Include it in support requests.'),
  RateLimit: header('The number of requests left in the current window, and the seconds until the window ends.'),
  'RateLimit-Policy': header('The rate limit and its window in seconds.'),
  'Retry-After': header('Seconds to wait before the next attempt.', 'integer'),
  'Idempotent-Replayed': header('`true` if this is the stored response of an earlier request with the same `Idempotency-Key`.'),
  'Tributary-Warning': header(
    'Codes of warnings, separated by commas: the request was carried out, but may not do what you expect. `upline_earns_nothing`: no ' +
      'commission rule of level 2 applies to the upline. `?expand=details` returns them in `warnings`, with a message.',
  ),
  'WWW-Authenticate': header('Always `Bearer`.'),
};

/** References to these headers. */
export function toHeaders(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
