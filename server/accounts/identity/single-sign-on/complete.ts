// Completes a sign-in when the provider sends the browser back. The attempt is used up first, so that an answer can't be
// tried twice; the provider is called with no transaction open; everything else happens in one transaction.
import type { Context, Tx } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { claimAffiliates } from '../affiliate-accounts/claim.ts';
import { acceptInvitations } from '../invitations/accept.ts';
import { checkSecondFactor, hasAuthenticator } from '../second-factor/check.ts';
import { startSession, type UsedFactor } from '../sessions/session.ts';
import type { Completed } from '../sign-in/complete.ts';
import { countRequest, requireFewFailures } from '../sign-in/limits.ts';
import { type Browser, endReplacedSession } from '../sign-in/start.ts';
import type { User } from '../users/user.ts';
import { awaitSecondFactor, deriveSecrets, endAttempt, findAwaiting, takeAttempt } from './attempt.ts';
import { type Connection, findConnection } from './connection.ts';
import type { Rejection } from './decide.ts';
import { domainOf } from './domains/domain.ts';
import { isDomainProven } from './domains/record.ts';
import { addToOrganization, findOrLinkUser, isLinked } from './identity.ts';
import { type Claims, readClaims } from './provider.ts';

/** `next` is the path that was asked for when the sign-in started. */
export type Returned = { completed: Completed; next: string | null } | { rejection: Rejection | 'expired' };

type Return = { token: string | null; query: string; browser: Browser };

/** Signs in with the query string of the provider's answer. Throws ProviderFailure. */
export async function completeSignIn(ctx: Context, { token, query, browser }: Return): Promise<Returned> {
  await countRequest(ctx, browser.ip, 'attempts');
  const secrets = token === null ? null : deriveSecrets(token);
  // Another site could send the browser here: it must not use up the attempt.
  if (token === null || secrets === null || new URLSearchParams(query).get('state') !== secrets.state) return { rejection: 'expired' };
  const attempt = await transact(ctx, (tx) => takeAttempt(tx, token));
  const connection = attempt && (await findConnection(ctx, attempt.organizationId));
  if (!attempt || !connection) return { rejection: 'expired' };
  const claims = await readClaims(ctx, { connection, secrets, query });
  if (!(await mayLink(ctx, connection, claims))) return { rejection: 'domain_unverified' };
  return transact(ctx, async (tx): Promise<Returned> => {
    const found = await findOrLinkUser(tx, { connection, claims, locale: browser.locale });
    if ('rejection' in found) return found;
    const { user, isNew } = found;
    // The provider proves the address that it names, which isn't the user's if it has changed.
    if (emailKey(claims.email ?? '') === user.emailKey) {
      await acceptInvitations(tx, user);
      await claimAffiliates(tx, user);
    }
    if (isNew) await addToOrganization(tx, connection, user.id);
    const { next } = attempt;
    if (!(await hasAuthenticator(tx, user.id))) return { completed: await start(tx, { user, usedFactor: null, browser }), next };
    await awaitSecondFactor(tx, attempt, user.id);
    return { completed: { kind: 'second_factor_required' }, next };
  });
}

/** Whether the person has signed in before, or the domain still belongs to the organization: its DNS record is read again. */
async function mayLink(ctx: Context, connection: Connection, { subject, email }: Claims): Promise<boolean> {
  if (await isLinked(ctx, connection, subject)) return true;
  const key = emailKey(email ?? '');
  // Without an address, the decision follows from the claims.
  return key === null || isDomainProven(ctx, connection.organizationId, domainOf(key));
}

type Confirmation = { token: string | null; code: string; browser: Browser };

/** Continues a sign-in with the code of the authenticator app. */
export async function confirmSecondFactor(ctx: Context, { token, code, browser }: Confirmation): Promise<Returned> {
  await countRequest(ctx, browser.ip, 'attempts');
  await requireFewFailures(ctx, browser.ip);
  const returned = await transact(ctx, async (tx): Promise<Returned> => {
    const attempt = token === null ? null : await findAwaiting(tx, token);
    if (!attempt) return { rejection: 'expired' };
    const { next, userId } = attempt;
    const user = await tx.db.selectFrom('users').selectAll().where('id', '=', userId).forNoKeyUpdate().executeTakeFirstOrThrow();
    if (user.status !== 'active') return { rejection: 'disabled' };
    const { usedFactor, retryAfterSeconds } = await checkSecondFactor(tx, userId, code);
    if (!usedFactor) return { completed: { kind: 'wrong_second_factor', retryAfterSeconds }, next };
    await endAttempt(tx, attempt);
    return { completed: await start(tx, { user, usedFactor, browser }), next };
  });
  if ('completed' in returned && returned.completed.kind === 'wrong_second_factor') await countRequest(ctx, browser.ip, 'failures');
  return returned;
}

type Start = { user: User; usedFactor: UsedFactor | null; browser: Browser };

async function start(tx: Tx, { user, usedFactor, browser }: Start): Promise<Completed> {
  await endReplacedSession(tx, browser);
  const { ip, userAgent } = browser;
  const session = { userId: user.id, method: 'single_sign_on', secondFactor: usedFactor, device: { ip, userAgent } } as const;
  const { setCookie } = await startSession(tx, session);
  return { kind: 'signed_in', setCookie, userId: user.id, siteProgramId: null, isFirst: user.lastSignInAt === null && user.name === '' };
}
