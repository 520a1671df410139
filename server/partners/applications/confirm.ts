// Confirming an application: the link or the code of its email proves who controls the address. Everything happens in one
// transaction: the application takes effect, the user claims the affiliate, and a session starts.
import type { Selectable } from 'kysely';
import { claimAffiliates } from '../../accounts/identity/affiliate-accounts/claim.ts';
import { hasAuthenticator } from '../../accounts/identity/second-factor/check.ts';
import { countRequest, requireFewFailures } from '../../accounts/identity/sign-in/limits.ts';
import { type Browser, startUserSession } from '../../accounts/identity/sign-in/start.ts';
import {
  findLinkProblem,
  findVerification,
  type LinkProblem,
  markVerificationUsed,
  matchCode,
  type Verification,
} from '../../accounts/identity/sign-in/verification.ts';
import { findOrCreateUser, type User } from '../../accounts/identity/users/user.ts';
import type { Context, Tx } from '../../context.ts';
import { toApiError } from '../../platform/db/constraints.ts';
import type { Applications } from '../../platform/db/schema.gen.ts';
import { transact } from '../../platform/db/transact.ts';
import { systemTime } from '../../platform/lib/clock.ts';
import { Conflict } from '../../platform/lib/errors.ts';
import { fullName } from '../../platform/lib/text.ts';
import { recordApplication } from './record.ts';

/** What confirming results in. Failures are values, because their counters must be committed. */
export type Confirmed =
  /** No session starts for a user with an authenticator app, nor for an existing one in another browser: they sign in. */
  { kind: 'confirmed'; setCookie: string | null } | { kind: 'wrong_code' } | { kind: 'link_problem'; problem: LinkProblem };

type Application = Selectable<Applications>;
type Confirming = { programId: string; browser: Browser };

/** Confirms the application of a link. */
export async function confirmWithLink(ctx: Context, confirming: Confirming & { token: string }): Promise<Confirmed> {
  const { token, programId, browser } = confirming;
  await countRequest(ctx, browser.ip, 'attempts');
  return repeatOnConflict(() =>
    transact(ctx, async (tx): Promise<Confirmed> => {
      const found = await findApplication(tx, { programId, token });
      return 'problem' in found ? { kind: 'link_problem', problem: found.problem } : confirm(tx, found, browser);
    }),
  );
}

/** Confirms the application that was sent from this browser, with the code of its email. */
export async function confirmWithCode(ctx: Context, confirming: Confirming & { code: string }): Promise<Confirmed> {
  const { code, programId, browser } = confirming;
  await countRequest(ctx, browser.ip, 'attempts');
  await requireFewFailures(ctx, browser.ip);
  const { browserHash } = browser;
  const confirmed = await repeatOnConflict(() =>
    transact(ctx, async (tx): Promise<Confirmed> => {
      const verification = browserHash && (await matchCode(tx, { purpose: 'application', browserHash, code }));
      const application = verification && (await lockApplication(tx, programId, verification));
      if (!verification || !application) return { kind: 'wrong_code' };
      const outcome = await confirm(tx, { application, verification }, browser);
      return outcome.kind === 'link_problem' ? { kind: 'wrong_code' } : outcome;
    }),
  );
  if (confirmed.kind === 'wrong_code') await countRequest(ctx, browser.ip, 'failures');
  return confirmed;
}

type Found = { application: Application; verification: Verification };

/** The application of a link, or why the link can't be used. Finding it changes nothing. */
export async function findApplication(
  ctx: Pick<Context, 'db' | 'clock'>,
  { programId, token }: { programId: string; token: string },
): Promise<Found | { problem: LinkProblem }> {
  const verification = await findVerification(ctx, token);
  const problem = findLinkProblem(verification, systemTime(ctx), 'application');
  if (!verification || problem) return { problem: problem ?? 'unknown' };
  const application = await selectApplication(ctx, programId, verification).executeTakeFirst();
  return application ? { application, verification } : { problem: 'unknown' };
}

async function lockApplication(tx: Tx, programId: string, verification: Verification): Promise<Application | null> {
  return (await selectApplication(tx, programId, verification).forNoKeyUpdate().executeTakeFirst()) ?? null;
}

function selectApplication({ db }: Pick<Context, 'db'>, programId: string, { id }: Verification) {
  return db.selectFrom('applications').selectAll().where('programId', '=', programId).where('verificationId', '=', id);
}

async function confirm(tx: Tx, { application, verification }: Found, browser: Browser): Promise<Confirmed> {
  const { user, isNew } = await lockUser(tx, application);
  if (user.status !== 'active') return { kind: 'link_problem', problem: 'denied' };
  if (!(await markVerificationUsed(tx, verification))) return { kind: 'link_problem', problem: 'used' };
  await recordApplication(tx, { application, actor: { kind: 'user', id: user.id }, userId: user.id });
  if ((!isNew && isElsewhere(verification, browser)) || (await hasAuthenticator(tx, user.id))) {
    await claimAffiliates(tx, user);
    return { kind: 'confirmed', setCookie: null };
  }
  const { setCookie } = await startUserSession(tx, { signingIn: { user, invitedName: null }, verification, usedFactor: null, browser });
  return { kind: 'confirmed', setCookie };
}

/** The link is valid for a day, so outside of the browser that sent the form it doesn't sign an existing user in. */
function isElsewhere({ browserHash }: Verification, browser: Browser): boolean {
  return browserHash === null || !(browser.browserHash?.equals(browserHash) ?? false);
}

/** The user of the address, created if necessary. Applications of one user wait for one another. */
async function lockUser(tx: Tx, { email, firstName, lastName, locale }: Application): Promise<{ user: User; isNew: boolean }> {
  const { user, isNew } = await findOrCreateUser(tx, {
    email,
    name: fullName({ firstName, lastName }),
    locale: locale === 'de' ? 'de' : 'en',
  });
  const users = tx.db.selectFrom('users').selectAll().where('id', '=', user.id).forNoKeyUpdate();
  return { user: await users.executeTakeFirstOrThrow(), isNew };
}

/** An affiliate with the same address may be invited at the same time. The second attempt finds it. */
async function repeatOnConflict<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Conflict) && toApiError(error)?.code !== 'email_taken') throw error;
    return run();
  }
}
