// The set-up link of an installation without users. Its token is derived from the secret key, so that every process of the
// installation prints and accepts the same one, and nothing has to be stored.
import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { hasFirstUser } from '../users/first-user.ts';

/** The link that creates the first user; null once there is one. */
export async function findSetUpLink(ctx: Pick<Context, 'db' | 'vault'>, url: string): Promise<string | null> {
  return (await hasFirstUser(ctx)) ? null : `${url}/set-up/${createToken(ctx)}`;
}

/** Whether a token is the one of the set-up link, whether or not the link can still be used. */
export function isSetUpToken(ctx: Pick<Context, 'vault'>, token: string): boolean {
  const [expected, given] = [Buffer.from(createToken(ctx)), Buffer.from(token)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function createToken({ vault }: Pick<Context, 'vault'>): string {
  return vault.fingerprint('set-up');
}
