// What a connection's settings may hold. Every text says what is wanted, since whoever reads it has just
// pasted something from another site.
import { z } from 'zod';

/** Where an API is found: https, or plain http to this machine. The sandbox of a rail is another base URL. */
export function baseUrl(live: string) {
  return endpointUrl.default(live).describe(`Where the API is found; ${live} unless it is a sandbox.`);
}

export const endpointUrl = z
  .string()
  .max(500)
  .refine(isEndpoint, { error: 'must be an https URL without user, query or fragment' })
  .meta({ json: { type: 'string', format: 'uri', maxLength: 500 } });

function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password || url.search || url.hash || text.endsWith('?')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname));
}

/** A key, token or secret as it was pasted: one word. */
export function keyText(what: string, form = /^[\x21-\x7e]{8,500}$/) {
  const error = `must be ${what}`;
  return z.string({ error }).regex(form, error);
}

/** A base URL and a path, with one slash between them. */
export function under(base: unknown, path: string): string {
  return `${String(base).replace(/\/+$/, '')}${path}`;
}
