// Signs in with a passkey. The passkey verifies its user (fingerprint, face, PIN), so it counts as two factors.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint, Reply } from '../../../platform/http/declaration/endpoint.ts';
import { readSessionToken } from '../../../platform/http/session-cookie.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { startSession } from '../sessions/session.ts';
import { countRequest } from '../sign-in/limits.ts';
import { findNextPath } from '../sign-in/next-path.ts';
import { nextField, SignedInShape, singleSignOnRequired } from '../sign-in/shapes.ts';
import { type Browser, endReplacedSession } from '../sign-in/start.ts';
import { mustUseSingleSignOn } from '../single-sign-on/find-domain.ts';
import { createChallenge } from './challenge.ts';
import { AuthenticationResponse, PasskeyOptions, passkeyRejected, passkeysUnavailable, rejected, unavailable } from './passkey.ts';
import { findRelyingParty } from './relying-party.ts';
import { recordUse, verifyAssertion } from './verify.ts';
import { loadWebAuthn } from './webauthn.ts';

const tooManyAttempts = { status: 429, code: 'rate_limited', when: 'Too many attempts from this network.' } as const;

export const createSignInOptions = endpoint({
  id: 'passkeys.signInOptions',
  route: 'POST /app/passkeys/sign-in-options',
  scope: 'open',
  tag: 'Sign-in',
  summary: 'Start signing in with a passkey',
  statuses: [200],
  result: PasskeyOptions,
  errors: [passkeysUnavailable, tooManyAttempts],
  async handle(ctx, { caller }) {
    const party = findRelyingParty(ctx.config, caller);
    if (!party) throw unavailable();
    await countRequest(ctx, caller.ip, 'attempts');
    const challenge = await createChallenge(ctx, { purpose: 'sign_in', userId: null });
    return { options: await createAssertionOptions(party.id, challenge) };
  },
});

/** Options without a list of passkeys: the browser offers those that it has for this site. */
async function createAssertionOptions(rpID: string, challenge: string): Promise<Record<string, unknown>> {
  const bytes = new Uint8Array(Buffer.from(challenge, 'base64url'));
  const { generateAuthenticationOptions } = await loadWebAuthn();
  return { ...(await generateAuthenticationOptions({ rpID, challenge: bytes, userVerification: 'required' })) };
}

export const signInWithPasskey = endpoint({
  id: 'passkeys.signIn',
  route: 'POST /app/passkeys/sign-in',
  scope: 'open',
  tag: 'Sign-in',
  summary: 'Sign in with a passkey',
  body: z
    .object({ response: AuthenticationResponse.describe('What the browser returned.'), next: nextField })
    .meta({ id: 'PasskeySignIn' }),
  statuses: [200],
  result: SignedInShape,
  errors: [passkeysUnavailable, passkeyRejected, singleSignOnRequired, tooManyAttempts],
  async handle(ctx, { body, caller }) {
    const party = findRelyingParty(ctx.config, caller);
    if (!party) throw unavailable();
    await countRequest(ctx, caller.ip, 'attempts');
    const signed = await verifyAssertion(ctx, { response: body.response, purpose: 'sign_in', userId: null, party });
    if (!signed) throw rejected();
    const device = { ip: caller.ip, userAgent: caller.headers['user-agent'] };
    const sessionToken = readSessionToken(ctx.config, caller.headers.cookie);
    const setCookie = await start(ctx, { signed, device, sessionToken });
    if (setCookie === null) throw rejected();
    return new Reply(
      200,
      { redirectPath: await findNextPath(ctx, { userId: signed.passkey.userId, siteProgramId: null }, body.next) },
      { 'set-cookie': setCookie },
    );
  },
});

type Start = {
  signed: Parameters<typeof recordUse>[1];
  device: { ip: string; userAgent: string | undefined };
  sessionToken: Browser['sessionToken'];
};

/** Null if the user is disabled, or the passkey was removed or used in the meantime. */
async function start(ctx: Context, { signed, device, sessionToken }: Start): Promise<string | null> {
  const { userId } = signed.passkey;
  return transact(ctx, async (tx) => {
    const users = tx.db.selectFrom('users').select(['status', 'emailKey']).where('id', '=', userId);
    const { status, emailKey } = await users.forNoKeyUpdate().executeTakeFirstOrThrow();
    if (status !== 'active' || !(await recordUse(tx, signed))) return null;
    if (await mustUseSingleSignOn(tx, { userId, emailKey })) throw new InvalidState(singleSignOnRequired.code, singleSignOnRequired.when);
    await endReplacedSession(tx, { sessionToken });
    return (await startSession(tx, { userId, method: 'passkey', secondFactor: 'passkey', device })).setCookie;
  });
}
