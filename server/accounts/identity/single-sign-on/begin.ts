// Starts a sign-in through the provider of an organization: finds it by the domain of the address.
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { countRequest } from '../sign-in/limits.ts';
import { deriveSecrets, startAttempt } from './attempt.ts';
import { findConnection } from './connection.ts';
import { findSignInDomain } from './find-domain.ts';
import { createAuthorizationUrl } from './provider.ts';

/** `url`: where the browser continues. `no_provider`: the domain of the address has no single sign-on. */
export type Begun = { kind: 'started'; url: string; setCookie: string } | { kind: 'no_provider' };

/** Throws ProviderFailure if the provider can't be reached. */
export async function beginSignIn(ctx: Context, { email, next, ip }: { email: string; next: string | null; ip: string }): Promise<Begun> {
  await countRequest(ctx, ip, 'attempts');
  const key = emailKey(email);
  const domain = key === null ? null : await findSignInDomain(ctx, key);
  const connection = domain && (await findConnection(ctx, domain.organizationId));
  if (!connection) return { kind: 'no_provider' };
  const { organizationId } = connection;
  const { token, setCookie } = await transact(ctx, (tx) => startAttempt(tx, { organizationId, next }));
  const url = await createAuthorizationUrl(ctx, { connection, secrets: deriveSecrets(token), email });
  return { kind: 'started', url, setCookie };
}
