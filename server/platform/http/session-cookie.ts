// The cookie of a session, and the check that a request with it comes from a page of this service.
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../config.ts';
import { CrossSiteRequest } from '../lib/errors.ts';
import { getPublicUrl } from '../lib/network/public-url.ts';

/** 32 random bytes in base64url. */
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

type Address = Pick<Config, 'publicUrl' | 'host' | 'port'>;

const isSecure = (config: Address): boolean => getPublicUrl(config).startsWith('https:');

/** `__Host-` makes browsers reject the cookie from other hosts and from plain HTTP. */
export function sessionCookieName(config: Address): string {
  return isSecure(config) ? '__Host-trb' : 'trb';
}

/** The session token in a Cookie header. Null if it is missing, or sent twice: another host may have added one. */
export function readSessionToken(config: Address, cookies: string | undefined): string | null {
  const prefix = `${sessionCookieName(config)}=`;
  const values = (cookies ?? '').split(';').flatMap((pair) => (pair.trim().startsWith(prefix) ? [pair.trim().slice(prefix.length)] : []));
  const [token] = values;
  return values.length === 1 && token !== undefined && tokenForm.test(token) ? token : null;
}

/** The Set-Cookie header for a token. */
export function writeSessionCookie(config: Address, token: string, maxAgeSeconds: number): string {
  const flags = `HttpOnly; SameSite=Lax; Path=/; Max-Age=${maxAgeSeconds}`;
  return `${sessionCookieName(config)}=${token}; ${isSecure(config) ? 'Secure; ' : ''}${flags}`;
}

/** The Set-Cookie header that removes the session from the browser. */
export function clearSessionCookie(config: Address): string {
  return writeSessionCookie(config, '', 0);
}

/**
 * Throws CrossSiteRequest unless the request was sent by a page of this service, as JSON. Browsers send Origin with every
 * request that is not a GET or HEAD, and pages can't change it.
 */
export function requireOwnOrigin(config: Address, headers: IncomingHttpHeaders): void {
  const type = headers['content-type'];
  const isJson = type === undefined || /^application\/json *(;|$)/i.test(type);
  if (!isOwnOrigin(config, headers) || !isJson) throw new CrossSiteRequest();
}

/** Whether a page of this service sent the request. */
export function isOwnOrigin(config: Address, { origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined && site !== 'same-origin') return false;
  const sender = origin === undefined ? null : URL.parse(origin);
  if (!sender || origin !== sender.origin) return false;
  if (sender.origin === new URL(getPublicUrl(config)).origin) return true;
  // The service may have further addresses, but a page from plain HTTP could have been altered on its way.
  const isTrustedScheme = isSecure(config) ? sender.protocol === 'https:' : /^https?:$/.test(sender.protocol);
  return isTrustedScheme && sender.host === host?.toLowerCase();
}
