// Completes a sign-in by email: with the link, or with the code in the browser that requested it. Everything happens in
// one transaction, and one conditional UPDATE of the verification decides which of several requests signs in.

import type { Context, Tx } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { claimAffiliates } from '../affiliate-accounts/claim.ts';
import { acceptInvitations } from '../invitations/accept.ts';
import { checkSecondFactor, hasAuthenticator } from '../second-factor/check.ts';
import { findUser, type UsedFactor } from '../sessions/session.ts';
import { mustUseSingleSignOn } from '../single-sign-on/find-domain.ts';
import type { User } from '../users/user.ts';
import { countRequest, requireFewFailures } from './limits.ts';
import { type Browser, type SignedIn, startUserSession } from './start.ts';
import { findSigningIn, type SigningIn } from './user.ts';
import {
  endEarlierVerifications,
  findLinkProblem,
  findVerification,
  isInvitation,
  type LinkProblem,
  markVerificationUsed,
  matchCode,
  type Verification,
} from './verification.ts';

/** What a sign-in results in. Failures are values, because their counters must be committed. */
export type Completed =
  | SignedIn
  | { kind: 'second_factor_required' }
  | { kind: 'wrong_second_factor'; retryAfterSeconds: number | null }
  | { kind: 'accepted'; isSignedIn: boolean; userId: string; siteProgramId: string | null; email: string }
  | { kind: 'wrong_code' }
  | { kind: 'single_sign_on_required' }
  | { kind: 'link_problem'; problem: LinkProblem; email: string | null };

type LinkProof = { token: string; secondFactorCode: string | null; browser: Browser };
type CodeProof = { code: string; secondFactorCode: string | null; browser: Browser };

/** Signs in with a link. */
export async function completeLink(ctx: Context, { token, secondFactorCode, browser }: LinkProof): Promise<Completed> {
  await countRequest(ctx, browser.ip, 'attempts');
  return transact(ctx, async (tx): Promise<Completed> => {
    const verification = await findVerification(tx, token);
    const problem = findLinkProblem(verification, systemTime(tx));
    if (!verification || problem) return { kind: 'link_problem', problem: problem ?? 'unknown', email: verification?.email ?? null };
    return completeVerification(tx, { verification, secondFactorCode, browser });
  });
}

/** Signs in with a code. The browser's cookie finds the verification, so that the address doesn't matter. */
export async function completeCode(ctx: Context, { code, secondFactorCode, browser }: CodeProof): Promise<Completed> {
  await countRequest(ctx, browser.ip, 'attempts');
  await requireFewFailures(ctx, browser.ip);
  const { browserHash } = browser;
  const completed = await transact(ctx, async (tx): Promise<Completed> => {
    const verification = browserHash && (await matchCode(tx, { purpose: 'sign_in', browserHash, code }));
    if (!verification) return { kind: 'wrong_code' };
    const outcome = await completeVerification(tx, { verification, secondFactorCode, browser });
    return outcome.kind === 'link_problem' ? { kind: 'wrong_code' } : outcome;
  });
  if (completed.kind === 'wrong_code') await countRequest(ctx, browser.ip, 'failures');
  return completed;
}

type Proven = { verification: Verification; secondFactorCode: string | null; browser: Browser };

async function completeVerification(tx: Tx, { verification, secondFactorCode, browser }: Proven): Promise<Completed> {
  const signingIn = await findSigningIn(tx, verification);
  if (!signingIn) return { kind: 'link_problem', problem: 'denied', email: null };
  if (signingIn.user && isInvitation(verification)) return acceptAsUser(tx, { user: signingIn.user, verification, browser });
  // The operator's links work: they are a way in when a provider fails.
  if (verification.purpose !== 'command' && (await mustUseSingleSignOn(tx, toPerson(signingIn, verification))))
    return { kind: 'single_sign_on_required' };
  const factor = await requireSecondFactor(tx, signingIn, secondFactorCode);
  if (factor.failure) return factor.failure;
  if (!(await markVerificationUsed(tx, verification))) return { kind: 'link_problem', problem: 'used', email: verification.email };
  await endEarlierVerifications(tx, verification);
  return startUserSession(tx, { signingIn, verification, usedFactor: factor.usedFactor, browser });
}

function toPerson({ user }: SigningIn, { emailKey }: Verification): { userId: string | null; emailKey: string } {
  return { userId: user?.id ?? null, emailKey: user?.emailKey ?? emailKey };
}

type Acceptance = { user: User; verification: Verification; browser: Browser };

/** The link of an invitation is valid for weeks, so it accepts the invitation of an existing user and starts no session. */
async function acceptAsUser(tx: Tx, { user, verification, browser }: Acceptance): Promise<Completed> {
  if (!(await markVerificationUsed(tx, verification))) return { kind: 'link_problem', problem: 'used', email: verification.email };
  await acceptInvitations(tx, user);
  await claimAffiliates(tx, user);
  const signedIn = browser.sessionToken === null ? null : await findUser(tx, browser.sessionToken);
  return {
    kind: 'accepted',
    isSignedIn: signedIn?.id === user.id,
    userId: user.id,
    siteProgramId: signedIn?.siteProgramId ?? null,
    email: verification.email,
  };
}

type Factor = { usedFactor: UsedFactor | null; failure: Completed | null };

async function requireSecondFactor(tx: Tx, { user }: SigningIn, code: string | null): Promise<Factor> {
  if (!user || !(await hasAuthenticator(tx, user.id))) return { usedFactor: null, failure: null };
  if (code === null) return { usedFactor: null, failure: { kind: 'second_factor_required' } };
  const { usedFactor, retryAfterSeconds } = await checkSecondFactor(tx, user.id, code);
  return { usedFactor, failure: usedFactor ? null : { kind: 'wrong_second_factor', retryAfterSeconds } };
}
