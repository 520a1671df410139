// Verifies what browsers return, with @simplewebauthn. A challenge is used up first, in a separate statement, so that
// a response can't be tried twice, whatever happens afterwards.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { Context, Tx } from '../../../context.ts';
import type { Passkeys } from '../../../platform/db/schema.gen.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { readChallenge, takeChallenge } from './challenge.ts';
import type { AuthenticationResponse, RegistrationResponse } from './passkey.ts';
import type { RelyingParty } from './relying-party.ts';
import { loadWebAuthn } from './webauthn.ts';

type Registered = { credentialId: Buffer; publicKey: Buffer; counter: number; transports: string[] };

/** The new credential of a user; null unless the response is valid. */
export async function verifyRegistration(
  ctx: Context,
  { response, userId, party }: { response: z.output<typeof RegistrationResponse>; userId: string; party: RelyingParty },
): Promise<Registered | null> {
  const challenge = readChallenge(response.response.clientDataJSON);
  if (challenge === null || !(await takeChallenge(ctx, challenge, { purpose: 'register', userId }))) return null;
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const { registrationInfo } = await orUnverified(
    verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {} } as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    }),
    { verified: false },
  );
  if (!registrationInfo) return null;
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return { credentialId: Buffer.from(id, 'base64url'), publicKey: Buffer.from(publicKey), counter, transports };
}

type Signed = { passkey: Selectable<Passkeys>; counter: number };

type Assertion = {
  response: z.output<typeof AuthenticationResponse>;
  purpose: 'sign_in' | 'confirm';
  /** Null for signing in, where the passkey itself says whose it is. */
  userId: string | null;
  party: RelyingParty;
};

/** The passkey that signed the challenge; null unless the response is valid. */
export async function verifyAssertion(ctx: Context, { response, purpose, userId, party }: Assertion): Promise<Signed | null> {
  const challenge = readChallenge(response.response.clientDataJSON);
  if (challenge === null || !(await takeChallenge(ctx, challenge, { purpose, userId }))) return null;
  const passkey = await ctx.db
    .selectFrom('passkeys')
    .selectAll()
    .where('credentialId', '=', Buffer.from(response.id, 'base64url'))
    .executeTakeFirst();
  if (!passkey || (userId !== null && passkey.userId !== userId)) return null;
  const { userHandle } = response.response;
  if (userHandle && Buffer.from(userHandle, 'base64url').toString('utf8') !== passkey.userId) return null;
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const { verified, authenticationInfo } = await orUnverified(
    verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} } as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: passkey.credentialId.toString('base64url'),
        publicKey: new Uint8Array(passkey.publicKey),
        counter: Number(passkey.counter),
        transports: passkey.transports,
      },
      requireUserVerification: true,
    }),
    { verified: false, authenticationInfo: null },
  );
  return verified && authenticationInfo ? { passkey, counter: authenticationInfo.newCounter } : null;
}

/** The library throws for invalid responses. */
async function orUnverified<T, F>(verification: Promise<T>, unverified: F): Promise<T | (F & Partial<T>)> {
  try {
    return await verification;
  } catch {
    return unverified as F & Partial<T>;
  }
}

/** Stores the new counter. False if another request used the passkey with this or a later counter, or it was removed. */
export async function recordUse({ db, clock }: Tx, { passkey, counter }: Signed): Promise<boolean> {
  const used = await db
    .updateTable('passkeys')
    .set({ counter, lastUsedAt: systemTime({ clock }) })
    .where('id', '=', passkey.id)
    .where((row) => row.or([row('counter', '<', counter), row.and([row('counter', '=', 0), row.val(counter === 0)])]))
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}
