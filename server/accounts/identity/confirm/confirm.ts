// Proves the identity of a signed-in user again, before a sensitive operation. The session gets a new token.
import { z } from 'zod';
import type { Context, Tx } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { type Caller, endpoint, Reply } from '../../../platform/http/declaration/endpoint.ts';
import { timestampOut } from '../../../platform/http/declaration/fields.ts';
import type { UserPrincipal } from '../../../platform/http/declaration/principal.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { toNetwork } from '../../../platform/lib/network/ip-address.ts';
import { createChallenge } from '../passkeys/challenge.ts';
import { AuthenticationResponse, PasskeyOptions, passkeysUnavailable, unavailable } from '../passkeys/passkey.ts';
import { findRelyingParty } from '../passkeys/relying-party.ts';
import { recordUse, verifyAssertion } from '../passkeys/verify.ts';
import { loadWebAuthn } from '../passkeys/webauthn.ts';
import { checkSecondFactor, hasAuthenticator } from '../second-factor/check.ts';
import { renewSession, type UsedFactor } from '../sessions/session.ts';
import { hashToken } from '../sessions/token.ts';
import { describeBrowser } from '../sign-in/describe-browser.ts';
import { countRequest, requireFewFailures } from '../sign-in/limits.ts';
import { type EmailRequest, signInEmailJob } from '../sign-in/request.ts';
import { markVerificationUsed, matchCode } from '../sign-in/verification.ts';

const ConfirmMethod = z.enum(['passkey', 'authenticator', 'email']).meta({ id: 'ConfirmMethod' });

type Method = z.output<typeof ConfirmMethod>;

const notConfirmed = {
  status: 400,
  code: 'not_confirmed',
  when: 'The code or passkey is incorrect, has expired, or was used before.',
} as const;
const methodUnavailable = { status: 400, code: 'method_unavailable', when: 'This user must confirm with another method.' } as const;
const tooManyAttempts = { status: 429, code: 'rate_limited', when: 'Too many attempts from this network.' } as const;

/** A code by email can be entered in the session that asked for it. */
const toBrowserHash = ({ sessionId }: UserPrincipal): Buffer => hashToken(`confirm:${sessionId}`);

const Methods = z
  .object({ methods: z.array(ConfirmMethod).describe('Empty without a mail server: sign in again with a new link.'), email: z.string() })
  .meta({ id: 'ConfirmMethods', example: { methods: ['passkey', 'authenticator'], email: 'dana@example.com' } });

export const getConfirmMethods = endpoint({
  id: 'confirm.methods',
  route: 'GET /app/confirm',
  scope: 'user',
  onSites: true,
  tag: 'Sign-in',
  summary: 'How you can confirm your identity',
  statuses: [200],
  result: Methods,
  async handle(ctx, { actor }) {
    const user = await ctx.db.selectFrom('users').select('email').where('id', '=', actor.id).executeTakeFirstOrThrow();
    return { methods: await findConfirmMethods(ctx, actor.id), email: user.email };
  },
});

export const sendConfirmCode = endpoint({
  id: 'confirm.email',
  route: 'POST /app/confirm/email',
  scope: 'user',
  onSites: true,
  tag: 'Sign-in',
  summary: 'Send a code to confirm your identity',
  description: 'At most five emails an hour.',
  statuses: [202],
  result: z.object({ isSent: z.literal(true) }).meta({ id: 'ConfirmCodeSent', example: { isSent: true } }),
  errors: [methodUnavailable, tooManyAttempts],
  async handle(ctx, { actor, caller }) {
    await countRequest(ctx, caller.ip, 'requests');
    await requireMethod(ctx, actor, 'email');
    const user = await ctx.db.selectFrom('users').selectAll().where('id', '=', actor.id).executeTakeFirstOrThrow();
    const request: EmailRequest = {
      purpose: 'confirm',
      email: user.email,
      browserHash: toBrowserHash(actor).toString('base64'),
      next: null,
      locale: user.locale,
      requestedBy: describeBrowser(caller.headers['user-agent']),
      network: toNetwork(caller.ip),
      requestedAt: systemTime(ctx).toISOString(),
      site: caller.site,
    };
    await transact(ctx, (tx) => tx.jobs.enqueue(tx, signInEmailJob, request));
    return { isSent: true as const };
  },
});

export const createConfirmOptions = endpoint({
  id: 'confirm.passkeyOptions',
  route: 'POST /app/confirm/passkey-options',
  scope: 'user',
  onSites: true,
  tag: 'Sign-in',
  summary: 'Start confirming your identity with a passkey',
  statuses: [200],
  result: PasskeyOptions,
  errors: [passkeysUnavailable, methodUnavailable],
  async handle(ctx, { actor, caller }) {
    const party = findRelyingParty(ctx.config, caller);
    if (!party) throw unavailable();
    await requireMethod(ctx, actor, 'passkey');
    const passkeys = await ctx.db.selectFrom('passkeys').select(['credentialId', 'transports']).where('userId', '=', actor.id).execute();
    const challenge = await transact(ctx, (tx) => createChallenge(tx, { purpose: 'confirm', userId: actor.id }));
    const { generateAuthenticationOptions } = await loadWebAuthn();
    const options = await generateAuthenticationOptions({
      rpID: party.id,
      challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
      userVerification: 'required',
      allowCredentials: passkeys.map(({ credentialId, transports }) => ({ id: credentialId.toString('base64url'), transports })),
    });
    return { options: { ...options } };
  },
});

const Confirmation = z
  .object({
    method: ConfirmMethod,
    code: z.string().max(40).optional().describe('From the email, the authenticator app, or a recovery code.'),
    response: AuthenticationResponse.optional().describe('From the passkey.'),
  })
  .meta({ id: 'Confirmation', example: { method: 'authenticator', code: '492039' } });

export const confirmIdentity = endpoint({
  id: 'confirm.create',
  route: 'POST /app/confirm',
  scope: 'user',
  onSites: true,
  tag: 'Sign-in',
  summary: 'Confirm your identity',
  description: 'Sensitive operations are possible for ten minutes. The session gets a new cookie; the previous one stops working.',
  body: Confirmation,
  statuses: [200],
  result: z.object({ freshAt: timestampOut }).meta({ id: 'Confirmed', example: { freshAt: '2026-11-02T09:30:00.000Z' } }),
  errors: [notConfirmed, methodUnavailable, passkeysUnavailable, tooManyAttempts],
  async handle(ctx, { actor, body, caller }) {
    await countRequest(ctx, caller.ip, 'attempts');
    await requireFewFailures(ctx, caller.ip);
    await requireMethod(ctx, actor, body.method);
    const prove = await prepareProof(ctx, { actor, body, caller });
    const setCookie = await transact(ctx, async (tx) => {
      const { isProven, usedFactor } = await prove(tx);
      return isProven ? (await renewSession(tx, actor, usedFactor)).setCookie : null;
    });
    if (setCookie === null) {
      await countRequest(ctx, caller.ip, 'failures');
      throw new InvalidState(notConfirmed.code, notConfirmed.when);
    }
    return new Reply(200, { freshAt: systemTime(ctx).toISOString() }, { 'set-cookie': setCookie });
  },
});

async function requireMethod(ctx: Context, { id }: UserPrincipal, method: z.output<typeof ConfirmMethod>): Promise<void> {
  const methods = await findConfirmMethods(ctx, id);
  if (methods.includes(method)) return;
  throw new InvalidState(methodUnavailable.code, `Confirm with one of: ${methods.join(', ') || 'a new sign-in link'}.`);
}

type Given = { actor: UserPrincipal; body: z.output<typeof Confirmation>; caller: Caller };

type Proof = { isProven: boolean; usedFactor: UsedFactor | null };

/** What remains to be checked in the transaction that renews the session. */
async function prepareProof(ctx: Context, { actor, body, caller }: Given): Promise<(tx: Tx) => Promise<Proof>> {
  const { method, code = '', response } = body;
  if (method === 'authenticator') {
    return async (tx) => {
      const { usedFactor } = await checkSecondFactor(tx, actor.id, code);
      return { isProven: usedFactor !== null, usedFactor };
    };
  }
  if (method === 'email') return async (tx) => ({ isProven: await redeemCode(tx, actor, code), usedFactor: null });
  const party = findRelyingParty(ctx.config, caller);
  if (!party) throw unavailable();
  const signed = response ? await verifyAssertion(ctx, { response, purpose: 'confirm', userId: actor.id, party }) : null;
  return async (tx) => ({ isProven: signed !== null && (await recordUse(tx, signed)), usedFactor: 'passkey' });
}

async function redeemCode(tx: Tx, actor: UserPrincipal, code: string): Promise<boolean> {
  const verification = await matchCode(tx, { purpose: 'confirm', browserHash: toBrowserHash(actor), code });
  return verification !== null && verification.userId === actor.id && markVerificationUsed(tx, verification);
}

/** The methods of a user, the most convenient one first. Empty without a mail server: sign in again with a new link. */
async function findConfirmMethods(ctx: Pick<Context, 'db' | 'mailer'>, userId: string): Promise<Method[]> {
  const passkey = await ctx.db.selectFrom('passkeys').select('id').where('userId', '=', userId).limit(1).executeTakeFirst();
  const methods: Method[] = [];
  if (passkey) methods.push('passkey');
  if (await hasAuthenticator(ctx, userId)) methods.push('authenticator');
  if (methods.length === 0 && ctx.mailer) methods.push('email');
  return methods;
}
