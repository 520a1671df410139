// The cookie of the browser that requests a sign-in email: only there the code can be entered. Every request sets a new
// one, so a value that was planted before is worth nothing.
import type { Config } from '../../../config.ts';
import { sessionCookieName } from '../../../platform/http/session-cookie.ts';
import { generateToken, hashToken } from '../sessions/token.ts';

type Address = Pick<Config, 'publicUrl' | 'host' | 'port'>;

const tokenForm = /^[A-Za-z0-9_-]{43}$/;
const maxAgeSeconds = 15 * 60;

const nameOf = (config: Address): string => `${sessionCookieName(config)}-browser`;

/** A new cookie, and the hash that is stored. */
export function createBrowserCookie(config: Address): { setCookie: string; browserHash: Buffer } {
  const { token, tokenHash } = generateToken();
  const secure = nameOf(config).startsWith('__Host-') ? 'Secure; ' : '';
  return {
    setCookie: `${nameOf(config)}=${token}; ${secure}HttpOnly; SameSite=Lax; Path=/; Max-Age=${maxAgeSeconds}`,
    browserHash: tokenHash,
  };
}

/** The hash of the cookie; null for a browser that has none, or more than one. */
export function readBrowserHash(config: Address, cookies: string | undefined): Buffer | null {
  const prefix = `${nameOf(config)}=`;
  const values = (cookies ?? '').split(';').flatMap((pair) => (pair.trim().startsWith(prefix) ? [pair.trim().slice(prefix.length)] : []));
  const [token] = values;
  return values.length === 1 && token !== undefined && tokenForm.test(token) ? hashToken(token) : null;
}
