import { randomBytes } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { systemTime } from '../../../platform/lib/clock.ts';

type Purpose = 'register' | 'sign_in' | 'confirm';

const validForMs = 5 * 60_000;

type ChallengeOf = { purpose: Purpose; userId: string | null };

/** Creates a value that a passkey must sign within five minutes. */
export async function createChallenge(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  { purpose, userId }: ChallengeOf,
): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  const expiresAt = new Date(systemTime({ clock }).getTime() + validForMs);
  await db.insertInto('passkeyChallenges').values({ id: ids.uuid(), userId, purpose, challenge, expiresAt }).execute();
  return challenge;
}

/** Uses up the challenge that a response contains, whether or not the response is valid. False for an unknown one. */
export async function takeChallenge(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  challenge: string,
  { purpose, userId }: ChallengeOf,
): Promise<boolean> {
  const taken = await db
    .deleteFrom('passkeyChallenges')
    .where('challenge', '=', challenge)
    .where('purpose', '=', purpose)
    .where('userId', userId === null ? 'is' : '=', userId)
    .returning('expiresAt')
    .executeTakeFirst();
  return taken !== undefined && taken.expiresAt > systemTime({ clock });
}

/** The challenge in the data that the browser signed; null for anything else. */
export function readChallenge(clientDataJSON: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    const challenge = typeof data === 'object' && data !== null && 'challenge' in data ? data.challenge : null;
    return typeof challenge === 'string' && /^[\w-]{43}$/.test(challenge) ? challenge : null;
  } catch {
    return null;
  }
}
