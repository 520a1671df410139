// Fields of provider settings. Error messages describe the expected value, because it is usually pasted from another site.
import { z } from 'zod';

/** The base URL of an API: https, or http on this machine. A sandbox has another base URL. */
export function baseUrl(live: string) {
  return endpointUrl.default(live).describe(`The base URL of the API: ${live}, or that of a sandbox.`);
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

/** A key, token or secret without spaces. */
export function secretField(what: string, form = /^[\x21-\x7e]{8,500}$/) {
  const error = `must be ${what}`;
  return z.string({ error }).regex(form, error);
}

/** A base URL and a path, joined with one slash. */
export function joinUrl(base: unknown, path: string): string {
  return `${String(base).replace(/\/+$/, '')}${path}`;
}
