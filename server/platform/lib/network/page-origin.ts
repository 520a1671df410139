import { parseHostName } from './host-name.ts';

const loopback = new Set(['localhost', '127.0.0.1']);

/**
 * The origin of pages, as browsers send it: `https://app.example` or `https://app.example:8443`. Plain HTTP only for this
 * machine, because pages from elsewhere could have been altered on their way. Null for anything else, such as a path. The
 * result can be written into a content security policy.
 */
export function parsePageOrigin(text: string): string | null {
  const url = URL.parse(text.trim());
  if (url?.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return null;
  const isLoopback = loopback.has(url.hostname);
  if (!isLoopback && parseHostName(url.hostname) === null) return null;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback) ? url.origin : null;
}
