// The cookie of the browser that requests a sign-in email: only there the code can be entered. Every request sets a new
// one, so a value that was planted before is worth nothing.
import type { Config } from '../../../config.ts';
import { sessionCookieName } from '../../../platform/http/session-cookie.ts';
import { generateToken, hashToken } from '../sessions/token.ts';

type Address = Pick<Config, 'publicUrl' | 'host' | 'port'>;

const tokenForm = /^[A-Za-z0-9_-]{43}$/;
const maxAgeSeconds = 15 * 60;
const visitorMaxAgeSeconds = 180 * 24 * 60 * 60;

const nameOf = (config: Address): string => `${sessionCookieName(config)}-browser`;
const visitorName = (config: Address): string => `${sessionCookieName(config)}-visitor`;

/** A new cookie, and the hash that is stored. */
export function createBrowserCookie(config: Address): { setCookie: string; browserHash: Buffer } {
  const { token, tokenHash } = generateToken();
  const secure = nameOf(config).startsWith('__Host-') ? 'Secure; ' : '';
  return {
    setCookie: `${nameOf(config)}=${token}; ${secure}HttpOnly; SameSite=Lax; Path=/; Max-Age=${maxAgeSeconds}`,
    browserHash: tokenHash,
  };
}

/** The cookie that distinguishes browsers in one network for rate limits. It is not a credential. */
export function createVisitorCookie(config: Address): string {
  const secure = visitorName(config).startsWith('__Host-') ? 'Secure; ' : '';
  return `${visitorName(config)}=${generateToken().token}; ${secure}HttpOnly; SameSite=Lax; Path=/; Max-Age=${visitorMaxAgeSeconds}`;
}

/** The value of that cookie; null for a browser that has none. */
export function readVisitor(config: Address, cookies: string | undefined): string | null {
  return readToken(visitorName(config), cookies);
}

/** The hash of the cookie; null for a browser that has none, or more than one. */
export function readBrowserHash(config: Address, cookies: string | undefined): Buffer | null {
  const token = readToken(nameOf(config), cookies);
  return token === null ? null : hashToken(token);
}

/** The token in the cookie of this name; null without one, or with more than one. */
export function readToken(name: string, cookies: string | undefined): string | null {
  const prefix = `${name}=`;
  const values = (cookies ?? '').split(';').flatMap((pair) => (pair.trim().startsWith(prefix) ? [pair.trim().slice(prefix.length)] : []));
  const [token] = values;
  return values.length === 1 && token !== undefined && tokenForm.test(token) ? token : null;
}
