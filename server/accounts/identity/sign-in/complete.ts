// Completes a sign-in by email: with the link, or with the code in the browser that requested it. Everything happens in
// one transaction, and one conditional UPDATE of the verification decides which of several requests signs in.

import { timingSafeEqual } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import type { EmailVerifications } from '../../../platform/db/schema.gen.ts';
import { transact } from '../../../platform/db/transact.ts';
import { checkSecondFactor, hasAuthenticator } from '../second-factor/check.ts';
import { hashToken } from '../sessions/token.ts';
import { hashCode } from '../verification/create.ts';
import { areCodesBlocked } from './code-limit.ts';
import { countRequest, requireFewFailures } from './limits.ts';
import { type Browser, type SignedIn, startUserSession } from './start.ts';
import { findSigningIn, type SigningIn } from './user.ts';

export type Verification = Selectable<EmailVerifications>;
export type LinkProblem = 'unknown' | 'used' | 'expired' | 'denied';

/** What a sign-in results in. Failures are values, because their counters must be committed. */
export type Completed =
  | SignedIn
  | { kind: 'second_factor_required' }
  | { kind: 'wrong_second_factor'; retryAfterSeconds: number | null }
  | { kind: 'wrong_code' }
  | { kind: 'link_problem'; problem: LinkProblem; email: string | null };

export const maxFailedAttempts = 10;

type LinkProof = { token: string; secondFactorCode: string | null; browser: Browser };
type CodeProof = { code: string; secondFactorCode: string | null; browser: Browser };

const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/** The verification of a link, without using it. */
export async function findVerification({ db }: Pick<Context, 'db'>, token: string): Promise<Verification | null> {
  if (!tokenForm.test(token)) return null;
  return (await db.selectFrom('emailVerifications').selectAll().where('tokenHash', '=', hashToken(token)).executeTakeFirst()) ?? null;
}

/** Why a link can't be used, or null if it can. */
export function findLinkProblem(verification: Verification | null, now: Date): LinkProblem | null {
  // The token of a confirmation was never sent to anyone.
  if (!verification || verification.purpose === 'confirm') return 'unknown';
  if (verification.usedAt) return 'used';
  return verification.expiresAt <= now || verification.failedAttempts >= maxFailedAttempts ? 'expired' : null;
}

/** Signs in with a link. */
export async function completeLink(ctx: Context, { token, secondFactorCode, browser }: LinkProof): Promise<Completed> {
  await countRequest(ctx, browser.ip, 'attempts');
  return transact(ctx, async (tx): Promise<Completed> => {
    const verification = await findVerification(tx, token);
    const problem = findLinkProblem(verification, tx.clock.now());
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

type EnteredCode = { purpose: 'sign_in' | 'confirm'; browserHash: Buffer; code: string };

/**
 * The verification that a code belongs to. An attempt is counted before the code is compared, under the lock of the row:
 * however many guesses arrive at once, ten are compared.
 */
export async function matchCode(tx: Tx, { purpose, browserHash, code }: EnteredCode): Promise<Verification | null> {
  const counted = await tx.db
    .updateTable('emailVerifications')
    .set((row) => ({ failedAttempts: row('failedAttempts', '+', 1) }))
    .where('browserHash', '=', browserHash)
    .where('purpose', '=', purpose)
    .where('codeHash', 'is not', null)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', tx.clock.now())
    .where('failedAttempts', '<', maxFailedAttempts)
    .returningAll()
    .execute();
  const entered = code.replace(/[\s-]/g, '');
  const matching = counted.find(({ id, codeHash }) => codeHash !== null && timingSafeEqual(codeHash, hashCode(tx, id, entered)));
  if (!matching || (await areCodesBlocked(tx, matching.emailKey))) return null;
  // A correct code is no failure, whatever comes after it.
  await tx.db
    .updateTable('emailVerifications')
    .set((row) => ({ failedAttempts: row('failedAttempts', '-', 1) }))
    .where('id', '=', matching.id)
    .execute();
  return matching;
}

type Proven = { verification: Verification; secondFactorCode: string | null; browser: Browser };

async function completeVerification(tx: Tx, { verification, secondFactorCode, browser }: Proven): Promise<Completed> {
  const signingIn = await findSigningIn(tx, verification);
  if (!signingIn) return { kind: 'link_problem', problem: 'denied', email: null };
  const failure = await requireSecondFactor(tx, signingIn, secondFactorCode);
  if (failure) return failure;
  if (!(await markVerificationUsed(tx, verification))) return { kind: 'link_problem', problem: 'used', email: verification.email };
  return startUserSession(tx, { signingIn, verification, browser });
}

async function requireSecondFactor(tx: Tx, { user }: SigningIn, code: string | null): Promise<Completed | null> {
  if (!user || !(await hasAuthenticator(tx, user.id))) return null;
  if (code === null) return { kind: 'second_factor_required' };
  const checked = await checkSecondFactor(tx, user.id, code);
  return checked.isCorrect ? null : { kind: 'wrong_second_factor', retryAfterSeconds: checked.retryAfterSeconds };
}

/** False if another request used it first. */
export async function markVerificationUsed({ db, clock }: Tx, { id }: Pick<Verification, 'id'>): Promise<boolean> {
  const used = await db
    .updateTable('emailVerifications')
    .set({ usedAt: clock.now() })
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', clock.now())
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}
