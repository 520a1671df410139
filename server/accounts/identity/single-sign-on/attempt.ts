// A sign-in between the moment a browser is sent to the provider and the moment it comes back. The browser has a cookie;
// state, nonce and PKCE verifier are derived from it, and the database has only its hash.
import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Config } from '../../../config.ts';
import type { Context, Tx } from '../../../context.ts';
import type { SingleSignOnAttempts } from '../../../platform/db/schema.gen.ts';
import { sessionCookieName } from '../../../platform/http/session-cookie.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { generateToken, hashToken } from '../sessions/token.ts';
import { readToken } from '../sign-in/browser-cookie.ts';
import type { Secrets } from './provider.ts';

type Attempt = Selectable<SingleSignOnAttempts>;
type Address = Pick<Config, 'publicUrl' | 'host' | 'port'>;

const maxAgeSeconds = 15 * 60;

const nameOf = (config: Address): string => `${sessionCookieName(config)}-sso`;

/** What belongs to the cookie of one attempt. */
export function deriveSecrets(token: string): Secrets {
  const derive = (use: string) => createHash('sha256').update(`${use}:${token}`).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}

/** The token of the browser's attempt; null without one. */
export function readAttemptToken(config: Address, cookies: string | undefined): string | null {
  return readToken(nameOf(config), cookies);
}

type NewAttempt = { organizationId: string; next: string | null };

/** Stores an attempt, and returns the cookie of its browser. */
export async function startAttempt(tx: Tx, attempt: NewAttempt): Promise<{ token: string; setCookie: string }> {
  const { token, tokenHash } = generateToken();
  await tx.db
    .insertInto('singleSignOnAttempts')
    .values({ ...attempt, tokenHash, expiresAt: new Date(systemTime(tx).getTime() + maxAgeSeconds * 1000) })
    .execute();
  const secure = nameOf(tx.config).startsWith('__Host-') ? 'Secure; ' : '';
  const setCookie = `${nameOf(tx.config)}=${token}; ${secure}HttpOnly; SameSite=Lax; Path=/; Max-Age=${maxAgeSeconds}`;
  return { token, setCookie };
}

/** Uses an attempt up, unless it awaits a second factor. Null if it was used, has expired, or was never started. */
export async function takeAttempt(tx: Tx, token: string): Promise<Attempt | null> {
  const attempt = await tx.db
    .deleteFrom('singleSignOnAttempts')
    .where('tokenHash', '=', hashToken(token))
    .where('userId', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return attempt && attempt.expiresAt > systemTime(tx) ? attempt : null;
}

/** Stores that an attempt awaits the code of the user's authenticator app. */
export async function awaitSecondFactor({ db }: Tx, attempt: Attempt, userId: string): Promise<void> {
  await db
    .insertInto('singleSignOnAttempts')
    .values({ ...attempt, userId })
    .execute();
}

/** The attempt that awaits a second factor, with its user; its row is locked. */
export async function findAwaiting(tx: Tx, token: string): Promise<(Attempt & { userId: string }) | null> {
  const attempts = tx.db.selectFrom('singleSignOnAttempts').selectAll().where('tokenHash', '=', hashToken(token));
  const attempt = await attempts.where('expiresAt', '>', systemTime(tx)).forUpdate().executeTakeFirst();
  const { userId = null } = attempt ?? {};
  return attempt && userId !== null ? { ...attempt, userId } : null;
}

/** Ends an attempt. */
export async function endAttempt({ db }: Pick<Context, 'db'>, { tokenHash }: Pick<Attempt, 'tokenHash'>): Promise<void> {
  await db.deleteFrom('singleSignOnAttempts').where('tokenHash', '=', tokenHash).execute();
}
