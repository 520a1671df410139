// Signing in by email, for scripts: the same steps as the pages in `pages/`, with JSON.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { type Caller, endpoint, Reply } from '../../../platform/http/declaration/endpoint.ts';
import { readSessionToken } from '../../../platform/http/session-cookie.ts';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { InvalidState, RateLimited } from '../../../platform/lib/errors.ts';
import { readBrowserHash } from './browser-cookie.ts';
import { type Completed, completeCode, completeLink } from './complete.ts';
import { findNextPath } from './next-path.ts';
import { textsForHeader } from './pages/texts.ts';
import { requestSignIn } from './request.ts';
import { nextField, SignedInShape, singleSignOnRequired } from './shapes.ts';
import type { Browser } from './start.ts';

const tooManyAttempts = { status: 429, code: 'rate_limited', when: 'Too many attempts, from this network or for this user.' } as const;
const linkErrors = [
  { status: 400, code: 'link_unknown', when: 'The link is incomplete or was never sent.' },
  { status: 400, code: 'link_used', when: 'The link has been used.' },
  { status: 400, code: 'link_expired', when: 'The link has expired.' },
  { status: 400, code: 'link_denied', when: 'The account is disabled, or the invitation was withdrawn.' },
] as const;
const wrongCode = { status: 400, code: 'wrong_code', when: 'The code is incorrect or has expired.' } as const;
const secondFactorErrors = [
  { status: 400, code: 'second_factor_required', when: 'The user has an authenticator app: send its code as `secondFactorCode`, too.' },
  { status: 400, code: 'wrong_second_factor', when: 'The code of the authenticator app is incorrect, has expired, or was used before.' },
] as const;

const address = z
  .string()
  .transform((text) => text.trim())
  .refine((text) => emailKey(text) !== null, { error: 'must be an email address' })
  .meta({ json: { type: 'string', format: 'email', maxLength: 254 } });

const secondFactorCode = z.string().max(40).nullish().describe('From the authenticator app, or a recovery code; if the user has one.');

export const signIn = endpoint({
  id: 'signIn.create',
  route: 'POST /app/sign-in',
  scope: 'open',
  tag: 'Sign-in',
  summary: 'Request a sign-in email',
  description:
    'The response is the same for every address. If an account exists, the email contains a link and a six-digit code; the code can be ' +
    'entered by the browser that sent this request. A browser can request five emails an hour for an address; then 429. Others don’t use ' +
    'them up. While ten recent emails to an address are unused, no further one is sent, and their links work.',
  body: z.object({ email: address, next: nextField }).meta({ id: 'SignIn', example: { email: 'dana@example.com' } }),
  statuses: [202],
  result: z
    .object({
      message: z.string(),
      hasMailServer: z.boolean().describe('Without one, an administrator creates links on the command line.'),
    })
    .meta({
      id: 'SignInRequested',
      example: {
        message: 'If you can sign in with this address, its mailbox has a sign-in email from the last 15 minutes.',
        hasMailServer: true,
      },
    }),
  errors: [tooManyAttempts],
  async handle(ctx, { body, caller }) {
    const texts = textsForHeader(caller.headers['accept-language']);
    const { setCookie } = await requestSignIn(ctx, {
      email: body.email,
      next: body.next ?? null,
      locale: texts.lang,
      ip: caller.ip,
      headers: caller.headers,
      site: caller.site,
    });
    const hasMailServer = ctx.mailer !== null;
    return new Reply(202, { message: hasMailServer ? texts.sent.intro : texts.sent.noMail, hasMailServer }, { 'set-cookie': setCookie });
  },
});

export const enterWithLink = endpoint({
  id: 'signIn.enter',
  route: 'POST /app/enter',
  scope: 'open',
  tag: 'Sign-in',
  summary: 'Sign in with a link',
  description:
    'The link of an invitation signs in a new user. For an existing user it accepts the invitation and starts no session: `redirectPath` is ' +
    'then the sign-in page, unless the user is signed in already.',
  body: z
    .object({ token: z.string().max(200).describe('The last part of the link.'), secondFactorCode, next: nextField })
    .meta({ id: 'LinkSignIn', example: { token: '3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' } }),
  statuses: [200],
  result: SignedInShape,
  errors: [...linkErrors, ...secondFactorErrors, singleSignOnRequired, tooManyAttempts],
  async handle(ctx, { body, caller }) {
    const { token } = body;
    const completed = await completeLink(ctx, {
      token,
      secondFactorCode: body.secondFactorCode ?? null,
      browser: readBrowser(ctx, caller),
    });
    return toReply(ctx, completed, body.next);
  },
});

export const enterWithCode = endpoint({
  id: 'signIn.enterCode',
  route: 'POST /app/enter/code',
  scope: 'open',
  tag: 'Sign-in',
  summary: 'Sign in with a code',
  description: 'Only in the browser that requested the email. Ten wrong codes invalidate the code; the link keeps working.',
  body: z.object({ code: z.string().max(40), secondFactorCode, next: nextField }).meta({ id: 'CodeSignIn', example: { code: '492039' } }),
  statuses: [200],
  result: SignedInShape,
  errors: [wrongCode, ...secondFactorErrors, singleSignOnRequired, tooManyAttempts],
  async handle(ctx, { body, caller }) {
    const { code } = body;
    const completed = await completeCode(ctx, { code, secondFactorCode: body.secondFactorCode ?? null, browser: readBrowser(ctx, caller) });
    return toReply(ctx, completed, body.next);
  },
});

/** What a sign-in needs to know about the browser of a request. */
export function readBrowser({ config }: Pick<Context, 'config'>, { ip, headers, site }: Pick<Caller, 'ip' | 'headers' | 'site'>): Browser {
  return {
    ip,
    userAgent: headers['user-agent'],
    browserHash: readBrowserHash(config, headers.cookie),
    sessionToken: readSessionToken(config, headers.cookie),
    locale: textsForHeader(headers['accept-language']).lang === 'de' ? 'de' : 'en',
    siteProgramId: site?.programId ?? null,
  };
}

async function toReply(ctx: Context, completed: Completed, next: string | null | undefined) {
  switch (completed.kind) {
    case 'signed_in':
      return new Reply(200, { redirectPath: await findNextPath(ctx, completed, next) }, { 'set-cookie': completed.setCookie });
    case 'accepted':
      return new Reply(200, { redirectPath: completed.isSignedIn ? await findNextPath(ctx, completed, next) : '/sign-in' });
    case 'second_factor_required':
      throw new InvalidState('second_factor_required', 'Enter the code from your authenticator app.');
    case 'wrong_second_factor':
      if (completed.retryAfterSeconds !== null) throw new RateLimited(completed.retryAfterSeconds);
      throw new InvalidState('wrong_second_factor', 'This authentication code is incorrect, has expired, or was used before.');
    case 'wrong_code':
      throw new InvalidState('wrong_code', 'This code is incorrect or has expired.');
    case 'single_sign_on_required':
      throw new InvalidState(singleSignOnRequired.code, singleSignOnRequired.when);
    case 'link_problem':
      throw new InvalidState(`link_${completed.problem}`, linkErrors.find(({ code }) => code === `link_${completed.problem}`)?.when ?? '');
  }
}
