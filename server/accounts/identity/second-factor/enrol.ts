// The authenticator app of the signed-in user: a new secret with its QR code, confirmed by a first code. It is required
// at sign-in from the confirmation on, so a half-finished setup locks out no user.
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { factorWaitHours } from '../../programs/second-person/waiting.ts';
import { notifyUser } from '../users/security-notice.ts';
import { checkSecondFactor, hasAuthenticator } from './check.ts';
import { secretOwner } from './encrypted-secret.ts';
import { recordFactorAdded, recordFactorRemoved } from './record-factor.ts';
import { deleteRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts';
import { findStep, generateSecret, toKeyUri } from './totp.ts';

const alreadyEnabled = {
  status: 400,
  code: 'authenticator_enabled',
  when: 'An authenticator app is set up already. Remove it first.',
} as const;
const notStarted = { status: 400, code: 'authenticator_not_started', when: 'No authenticator app is being set up.' } as const;
export const notEnabled = { status: 400, code: 'authenticator_not_enabled', when: 'No authenticator app is set up.' } as const;
export const wrongCode = { status: 400, code: 'wrong_code', when: 'The code is incorrect, has expired, or was used before.' } as const;

const NewAuthenticator = z
  .object({
    secret: z.string().describe('For apps that can’t scan the QR code.'),
    url: z.string().describe('The address in the QR code.'),
    qrCodeSvg: z.string(),
  })
  .meta({
    id: 'NewAuthenticator',
    example: {
      secret: 'JBSWY3DPEHPK3PXP',
      url: 'otpauth://totp/Tributary:dana@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Tributary',
      qrCodeSvg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45"></svg>',
    },
  });

export const startAuthenticator = endpoint({
  id: 'secondFactor.create',
  route: 'POST /app/second-factor',
  scope: 'user',
  isSensitive: true,
  tag: 'User',
  summary: 'Start setting up an authenticator app',
  description: 'Replaces a setup that was not confirmed.',
  statuses: [201],
  result: NewAuthenticator,
  hasSecretResponse: true,
  errors: [alreadyEnabled],
  async handle(ctx, { actor }) {
    const secret = generateSecret();
    const email = await transact(ctx, async (tx) => {
      if (!(await storeSecret(tx, actor.id, secret))) throw new InvalidState(alreadyEnabled.code, alreadyEnabled.when);
      const user = await tx.db.selectFrom('users').select('email').where('id', '=', actor.id).executeTakeFirstOrThrow();
      return user.email;
    });
    const url = toKeyUri(secret, email);
    const { toString: renderQrCode } = await import('qrcode');
    return { secret, url, qrCodeSvg: await renderQrCode(url, { type: 'svg', margin: 3, errorCorrectionLevel: 'M' }) };
  },
});

/** False if an authenticator is confirmed already. */
async function storeSecret({ db, vault, clock }: Tx, userId: string, secret: string): Promise<boolean> {
  const fresh = {
    secret: vault.encrypt(secret, secretOwner(userId)),
    lastStep: 0,
    failedAttempts: 0,
    blockedUntil: null,
    createdAt: systemTime({ clock }),
  };
  const stored = await db
    .insertInto('secondFactors')
    .values({ ...fresh, userId })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(fresh).where('secondFactors.confirmedAt', 'is', null))
    .returning('userId')
    .executeTakeFirst();
  return stored !== undefined;
}

const CodeBody = z
  .object({ code: z.string().max(40).describe('The code that the app shows.') })
  .meta({ id: 'AuthenticatorCode', example: { code: '492039' } });

export const RecoveryCodes = z
  .object({ recoveryCodes: z.array(z.string()).describe('Each replaces the app once. They are shown only here.') })
  .meta({ id: 'RecoveryCodes', example: { recoveryCodes: ['k3fm-p8qa-x7dz', 'w9hc-2rtn-bq4e'] } });

export const confirmAuthenticator = endpoint({
  id: 'secondFactor.confirm',
  route: 'POST /app/second-factor/confirm',
  scope: 'user',
  isSensitive: true,
  tag: 'User',
  summary: 'Finish setting up an authenticator app',
  description:
    'From now on, signing in by email also requires a code of the app. If it is the first second factor of a member who handles payouts, ' +
    `all owners are notified, and it counts for money after ${factorWaitHours} hours, or once another owner confirms the member. It counts at ` +
    'once in programs in test mode without a live payout provider, and in a session of a link of the command line.',
  body: CodeBody,
  statuses: [200],
  result: RecoveryCodes,
  hasSecretResponse: true,
  errors: [notStarted, wrongCode],
  async handle(ctx, { actor, body }) {
    return transact(ctx, async (tx) => {
      const factors = tx.db.selectFrom('secondFactors').selectAll().where('userId', '=', actor.id).where('confirmedAt', 'is', null);
      const factor = await factors.forUpdate().executeTakeFirst();
      if (!factor) throw new InvalidState(notStarted.code, notStarted.when);
      const secret = tx.vault.decrypt(factor.secret, secretOwner(actor.id));
      const step = findStep(secret, body.code.replace(/\s/g, ''), { now: systemTime(tx), lastStep: factor.lastStep });
      if (step === null) throw new InvalidState(wrongCode.code, wrongCode.when);
      await tx.db
        .updateTable('secondFactors')
        .set({ lastStep: step, confirmedAt: systemTime(tx) })
        .where('userId', '=', actor.id)
        .execute();
      await recordFactorAdded(tx, actor, 'authenticator');
      await notifyUser(tx, actor.id, 'authenticator_added');
      return { recoveryCodes: await replaceRecoveryCodes(tx, actor.id) };
    });
  },
});

export const createRecoveryCodes = endpoint({
  id: 'secondFactor.createRecoveryCodes',
  route: 'POST /app/second-factor/recovery-codes',
  scope: 'user',
  isSensitive: true,
  tag: 'User',
  summary: 'Create new recovery codes',
  description: 'The previous ones stop working.',
  statuses: [201],
  result: RecoveryCodes,
  hasSecretResponse: true,
  errors: [notEnabled],
  async handle(ctx, { actor }) {
    return transact(ctx, async (tx) => {
      if (!(await hasAuthenticator(tx, actor.id))) throw new InvalidState(notEnabled.code, notEnabled.when);
      await notifyUser(tx, actor.id, 'recovery_codes_replaced');
      return { recoveryCodes: await replaceRecoveryCodes(tx, actor.id) };
    });
  },
});

export const removeAuthenticator = endpoint({
  id: 'secondFactor.delete',
  route: 'POST /app/second-factor/remove',
  scope: 'user',
  isSensitive: true,
  tag: 'User',
  summary: 'Remove the authenticator app',
  description:
    'Requires a current code, or a recovery code. The recovery codes stop working, too. All owners are notified, and the user ' +
    `can move money again after ${factorWaitHours} hours, or once another owner confirms them.`,
  body: CodeBody,
  statuses: [200],
  result: z.object({ isRemoved: z.literal(true) }).meta({ id: 'AuthenticatorRemoved', example: { isRemoved: true } }),
  errors: [notEnabled, wrongCode],
  async handle(ctx, { actor, body }) {
    const isRemoved = await transact(ctx, async (tx) => {
      if (!(await hasAuthenticator(tx, actor.id))) throw new InvalidState(notEnabled.code, notEnabled.when);
      if (!(await checkSecondFactor(tx, actor.id, body.code)).usedFactor) return false;
      await tx.db.deleteFrom('secondFactors').where('userId', '=', actor.id).execute();
      await deleteRecoveryCodes(tx, actor.id);
      await recordFactorRemoved(tx, actor);
      await notifyUser(tx, actor.id, 'authenticator_removed');
      return true;
    });
    // Thrown after the commit, which counts the attempt.
    if (!isRemoved) throw new InvalidState(wrongCode.code, wrongCode.when);
    return { isRemoved: true as const };
  },
});
