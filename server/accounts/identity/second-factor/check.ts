// Checks the second factor: a code of the authenticator app, or a recovery code. An attempt is counted before it is
// checked, under the lock of the row, and from the tenth failure on each further one doubles the delay.
import type { Context, Tx } from '../../../context.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { secretOwner } from './encrypted-secret.ts';
import { redeemRecoveryCode } from './recovery-codes.ts';
import { findStep } from './totp.ts';

const freeFailures = 9;
const [firstDelayMs, longestDelayMs] = [30_000, 60 * 60_000];

/** Whether a user has confirmed an authenticator app, which is then required at sign-in. */
export async function hasAuthenticator({ db }: Pick<Context, 'db'>, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('secondFactors')
    .select('userId')
    .where('userId', '=', userId)
    .where('confirmedAt', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

type Checked = { usedFactor: 'authenticator' | 'recovery_code' | null; retryAfterSeconds: number | null };

/** Checks a code of a user with a confirmed authenticator, and returns what it was. The count of failures must be committed. */
export async function checkSecondFactor(tx: Tx, userId: string, code: string): Promise<Checked> {
  const now = systemTime(tx);
  const factor = await tx.db
    .selectFrom('secondFactors')
    .selectAll()
    .where('userId', '=', userId)
    .where('confirmedAt', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  if (!factor) return { usedFactor: null, retryAfterSeconds: null };
  if (factor.blockedUntil && factor.blockedUntil > now)
    return { usedFactor: null, retryAfterSeconds: secondsBetween(now, factor.blockedUntil) };
  const { lastStep } = factor;
  const step = findStep(tx.vault.decrypt(factor.secret, secretOwner(userId)), code.replace(/\s/g, ''), { now, lastStep });
  const isRecovered = step === null && (await redeemRecoveryCode(tx, userId, code));
  const usedFactor = step !== null ? 'authenticator' : isRecovered ? 'recovery_code' : null;
  const failedAttempts = usedFactor ? 0 : factor.failedAttempts + 1;
  const delayMs = delayAfter(failedAttempts);
  await tx.db
    .updateTable('secondFactors')
    .set({ lastStep: step ?? lastStep, failedAttempts, blockedUntil: delayMs === 0 ? null : new Date(now.getTime() + delayMs) })
    .where('userId', '=', userId)
    .execute();
  return { usedFactor, retryAfterSeconds: usedFactor || delayMs === 0 ? null : Math.ceil(delayMs / 1000) };
}

/** 30 seconds after the tenth failure in a row, then twice as long each time, up to an hour. */
export function delayAfter(failures: number): number {
  return failures <= freeFailures ? 0 : Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - freeFailures - 1));
}

function secondsBetween(from: Date, to: Date): number {
  return Math.ceil((to.getTime() - from.getTime()) / 1000);
}
