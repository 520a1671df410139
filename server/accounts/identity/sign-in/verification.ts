// A verification: the link and the code of one email. Finding one changes nothing; an UPDATE under the lock of its row
// decides who uses it, and how many codes are compared.
import { timingSafeEqual } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import type { EmailVerifications } from '../../../platform/db/schema.gen.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { hashToken } from '../sessions/token.ts';
import { hashCode } from '../verification/create.ts';
import { areCodesBlocked } from './code-limit.ts';

export type Verification = Selectable<EmailVerifications>;
export type LinkProblem = 'unknown' | 'used' | 'expired' | 'denied';

const maxFailedAttempts = 10;
/** Links that sign in. Those of invitations only accept them, once there is an account. */
const endingPurposes: readonly string[] = ['sign_in', 'command'];
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/** The verification of a link, without using it. */
export async function findVerification({ db }: Pick<Context, 'db'>, token: string): Promise<Verification | null> {
  if (!tokenForm.test(token)) return null;
  return (await db.selectFrom('emailVerifications').selectAll().where('tokenHash', '=', hashToken(token)).executeTakeFirst()) ?? null;
}

/** Why a link can't be used to sign in or to confirm an application, or null if it can. */
export function findLinkProblem(
  verification: Verification | null,
  now: Date,
  use: 'sign_in' | 'application' = 'sign_in',
): LinkProblem | null {
  if (!verification || !isMeantFor(verification, use)) return 'unknown';
  if (verification.usedAt) return 'used';
  // Wrong codes use up only the code: an attacker must not take the link from the owner of the mailbox.
  return verification.expiresAt <= now ? 'expired' : null;
}

/** The token of a confirmation was never sent to anyone; the link of an application confirms it, and does nothing else. */
function isMeantFor({ purpose }: Verification, use: 'sign_in' | 'application'): boolean {
  return use === 'application' ? purpose === 'application' : purpose !== 'confirm' && purpose !== 'application';
}

/** Whether the link was sent with an invitation, which is valid for days or weeks. */
export function isInvitation({ purpose }: Verification): boolean {
  return purpose === 'invitation' || purpose === 'affiliate_invitation';
}

type EnteredCode = { purpose: 'sign_in' | 'confirm' | 'application'; browserHash: Buffer; code: string };

/**
 * The verification that a code belongs to. An attempt is counted before the code is compared, under the lock of the row:
 * however many guesses arrive at the same time, ten are compared.
 */
export async function matchCode(tx: Tx, { purpose, browserHash, code }: EnteredCode): Promise<Verification | null> {
  const counted = await tx.db
    .updateTable('emailVerifications')
    .set((row) => ({ failedAttempts: row('failedAttempts', '+', 1) }))
    .where('browserHash', '=', browserHash)
    .where('purpose', '=', purpose)
    .where('codeHash', 'is not', null)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', systemTime(tx))
    .where('failedAttempts', '<', maxFailedAttempts)
    .returningAll()
    .execute();
  const entered = code.replace(/[\s-]/g, '');
  const matching = counted.find(({ id, codeHash }) => codeHash !== null && timingSafeEqual(codeHash, hashCode(tx, id, entered)));
  if (!matching || (await areCodesBlocked(tx, matching))) return null;
  // A correct code is not a failure, whatever follows.
  await tx.db
    .updateTable('emailVerifications')
    .set((row) => ({ failedAttempts: row('failedAttempts', '-', 1) }))
    .where('id', '=', matching.id)
    .execute();
  return matching;
}

/** Ends the links and codes that were sent to the address before this one, so that one email signs in once. */
export async function endEarlierVerifications(tx: Tx, { purpose, emailKey, createdAt }: Verification): Promise<void> {
  if (!endingPurposes.includes(purpose)) return;
  await tx.db
    .updateTable('emailVerifications')
    .set({ usedAt: systemTime(tx) })
    .where('emailKey', '=', emailKey)
    .where('purpose', 'in', endingPurposes)
    .where('createdAt', '<=', createdAt)
    .where('usedAt', 'is', null)
    .execute();
}

/** False if another request used it first. */
export async function markVerificationUsed({ db, clock }: Tx, { id }: Pick<Verification, 'id'>): Promise<boolean> {
  const used = await db
    .updateTable('emailVerifications')
    .set({ usedAt: systemTime({ clock }) })
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', systemTime({ clock }))
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}
