// `/sign-in/sso`: sends the browser to the provider of an organization, and receives it when it comes back. It works without
// scripts, like the other sign-in pages.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import { toCaller } from '../../../platform/http/caller.ts';
import { readBrowser } from '../sign-in/endpoints.ts';
import { parseNextPath } from '../sign-in/next-path.ts';
import { type Problem, renderProvider } from '../sign-in/pages/render.ts';
import { readField, sendCompleted, sendHtml, sendProblem, textsOf } from '../sign-in/pages/respond.ts';
import { readAttemptToken } from './attempt.ts';
import { beginSignIn } from './begin.ts';
import { completeSignIn, confirmSecondFactor, type Returned } from './complete.ts';
import { ProviderFailure } from './provider.ts';

/** Shows the sign-in page again, with a message at the address. */
export type ShowForm = (request: FastifyRequest, reply: FastifyReply, error: 'invalidEmail' | 'noProvider') => Promise<FastifyReply>;

const confirmPath = '/sign-in/sso/confirm';

const problems = {
  expired: { status: 410, problem: 'ssoExpired' },
  email_unverified: { status: 403, problem: 'emailUnverified' },
  domain_unverified: { status: 403, problem: 'domainUnverified' },
  account_replaced: { status: 403, problem: 'accountReplaced' },
  disabled: { status: 403, problem: 'disabled' },
  rejected: { status: 403, problem: 'ssoRejected' },
  unavailable: { status: 502, problem: 'ssoUnavailable' },
} as const satisfies Record<string, { status: number; problem: Problem }>;

/** Registers the pages together with the other sign-in pages, which check where a form was sent from. */
export function serveSingleSignOn(app: FastifyInstance, ctx: Context, showForm: ShowForm): void {
  app.get('/sign-in/sso', (request, reply) => sendProblem(request, reply, 'ssoRequired'));
  app.post('/sign-in/sso', (request, reply) =>
    withProvider(ctx, { request, reply }, async () => {
      const email = readField(request, 'email')?.trim() ?? '';
      const begun = await beginSignIn(ctx, { email, next: parseNextPath(readField(request, 'next')), ip: request.ip });
      if (begun.kind === 'no_provider') return showForm(request, reply.code(400), email.includes('@') ? 'noProvider' : 'invalidEmail');
      return sendHtml(reply.header('set-cookie', begun.setCookie), renderProvider({ texts: textsOf(request), url: begun.url }));
    }),
  );
  app.get('/sign-in/sso/callback', (request, reply) =>
    withProvider(ctx, { request, reply }, async () => {
      const { search } = new URL(request.url, 'http://service.invalid');
      const token = readAttemptToken(ctx.config, request.headers.cookie);
      const returned = await completeSignIn(ctx, { token, query: search, browser: readBrowser(ctx, toCaller(request)) });
      return sendReturned(ctx, { request, reply }, returned);
    }),
  );
  app.post(confirmPath, async (request, reply) => {
    const token = readAttemptToken(ctx.config, request.headers.cookie);
    const code = readField(request, 'secondFactorCode') ?? '';
    return sendReturned(
      ctx,
      { request, reply },
      await confirmSecondFactor(ctx, { token, code, browser: readBrowser(ctx, toCaller(request)) }),
    );
  });
}

type Exchange = { request: FastifyRequest; reply: FastifyReply };

function sendReturned(ctx: Context, { request, reply }: Exchange, returned: Returned) {
  if ('rejection' in returned) return sendReason(request, reply, returned.rejection);
  return sendCompleted(request, reply, ctx, { ...returned, action: confirmPath, emailCode: null });
}

function sendReason(request: FastifyRequest, reply: FastifyReply, reason: keyof typeof problems): FastifyReply {
  const { status, problem } = problems[reason];
  return sendProblem(request, reply.code(status), problem);
}

/** What the provider answered is logged without its content, which may identify a person. */
async function withProvider<Sent>(ctx: Context, { request, reply }: Exchange, work: () => Promise<Sent>): Promise<Sent | FastifyReply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const { cause } = error;
    const code = cause instanceof Error && 'code' in cause ? cause.code : null;
    const message = cause instanceof Error ? cause.message : null;
    ctx.log.warn({ requestId: request.id, code, message }, 'a provider of single sign-on failed');
    return sendReason(request, reply, error.reason);
  }
}
