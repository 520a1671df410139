// Adds a passkey to the signed-in user: options for the browser, then the browser's response.
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import type { UserPrincipal } from '../../../platform/http/declaration/principal.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { factorWaitHours } from '../../programs/second-person/waiting.ts';
import { recordFactorAdded } from '../second-factor/record-factor.ts';
import { describeBrowser } from '../sign-in/describe-browser.ts';
import { notifyUser } from '../users/security-notice.ts';
import { createChallenge } from './challenge.ts';
import {
  PasskeyOptions,
  PasskeyShape,
  passkeyName,
  passkeyRejected,
  passkeysUnavailable,
  RegistrationResponse,
  rejected,
  toPasskey,
  unavailable,
} from './passkey.ts';
import { findRelyingParty } from './relying-party.ts';
import { verifyRegistration } from './verify.ts';
import { loadWebAuthn } from './webauthn.ts';

const maxPasskeys = 20;

const tooManyPasskeys = { status: 400, code: 'too_many_passkeys', when: `A user has at most ${maxPasskeys} passkeys.` } as const;

export const createPasskeyOptions = endpoint({
  id: 'passkeys.registerOptions',
  route: 'POST /app/passkeys/register-options',
  scope: 'user',
  isSensitive: true,
  tag: 'User',
  summary: 'Start adding a passkey',
  statuses: [200],
  result: PasskeyOptions,
  errors: [passkeysUnavailable],
  async handle(ctx, { actor, caller }) {
    const party = findRelyingParty(ctx.config, caller);
    if (!party) throw unavailable();
    const user = await ctx.db.selectFrom('users').selectAll().where('id', '=', actor.id).executeTakeFirstOrThrow();
    const known = await ctx.db.selectFrom('passkeys').select('credentialId').where('userId', '=', actor.id).execute();
    const challenge = await transact(ctx, (tx) => createChallenge(tx, { purpose: 'register', userId: actor.id }));
    const { generateRegistrationOptions } = await loadWebAuthn();
    const options = await generateRegistrationOptions({
      rpName: 'Tributary',
      rpID: party.id,
      userName: user.email,
      userDisplayName: user.name || user.email,
      userID: new TextEncoder().encode(user.id),
      challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
      attestationType: 'none',
      excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId.toString('base64url') })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    return { options: { ...options } };
  },
});

const NewPasskey = z
  .object({ response: RegistrationResponse.describe('What the browser returned.'), name: passkeyName.optional() })
  .meta({ id: 'NewPasskey' });

export const addPasskey = endpoint({
  id: 'passkeys.create',
  route: 'POST /app/passkeys',
  scope: 'user',
  isSensitive: true,
  tag: 'User',
  summary: 'Add a passkey',
  description:
    'If it is the first second factor of a member who handles payouts, all owners are notified, and it counts for money after ' +
    `${factorWaitHours} hours, or once another owner confirms the member.`,
  body: NewPasskey,
  statuses: [201],
  result: PasskeyShape,
  errors: [passkeysUnavailable, passkeyRejected, tooManyPasskeys],
  async handle(ctx, { actor, body, caller }) {
    const party = findRelyingParty(ctx.config, caller);
    if (!party) throw unavailable();
    const registered = await verifyRegistration(ctx, { response: body.response, userId: actor.id, party });
    if (!registered) throw rejected();
    const { browser, system } = describeBrowser(caller.headers['user-agent']);
    const name = body.name ?? ([browser, system].filter((part) => part !== null).join(', ') || 'Passkey');
    return transact(ctx, (tx) => insertPasskey(tx, actor, { ...registered, userId: actor.id, name }));
  },
});

type NewRow = { credentialId: Buffer; publicKey: Buffer; counter: number; transports: string[]; userId: string; name: string };

async function insertPasskey(tx: Tx, actor: UserPrincipal, row: NewRow) {
  // Locked, so that the count is exact.
  await tx.db.selectFrom('users').select('id').where('id', '=', row.userId).forNoKeyUpdate().executeTakeFirstOrThrow();
  const existing = await tx.db.selectFrom('passkeys').select('id').where('userId', '=', row.userId).execute();
  if (existing.length >= maxPasskeys) throw new InvalidState(tooManyPasskeys.code, `Remove a passkey first: ${tooManyPasskeys.when}`);
  const inserted = await tx.db
    .insertInto('passkeys')
    .values({ ...row, id: tx.ids.uuid(), createdAt: systemTime(tx) })
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!inserted) throw rejected();
  await recordFactorAdded(tx, actor, 'passkey');
  await notifyUser(tx, row.userId, 'passkey_added', row.name);
  return toPasskey(inserted);
}
