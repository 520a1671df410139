// Serves the sign-in pages: `/sign-in`, `/enter/TOKEN`, `/welcome` and `/set-up/TOKEN`. They work without scripts. Reading any of them
// changes nothing, however often it happens: only a POST from one of these pages signs in.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../../context.ts';
import { toCaller } from '../../../../platform/http/caller.ts';
import { isOwnOrigin, readSessionToken } from '../../../../platform/http/session-cookie.ts';
import { emailKey } from '../../../../platform/lib/email-address.ts';
import { ApiError, RateLimited } from '../../../../platform/lib/errors.ts';
import { findRelyingParty } from '../../passkeys/relying-party.ts';
import { findUser } from '../../sessions/session.ts';
import { serveSetUp } from '../../set-up/page.ts';
import { findSignInDomain, hasSingleSignOn } from '../../single-sign-on/find-domain.ts';
import { serveSingleSignOn } from '../../single-sign-on/page.ts';
import { hasFirstUser } from '../../users/first-user.ts';
import { createVisitorCookie, readVisitor } from '../browser-cookie.ts';
import { completeCode } from '../complete.ts';
import { TooManyEmails } from '../count-email.ts';
import { readBrowser } from '../endpoints.ts';
import { findNextPath, parseNextPath } from '../next-path.ts';
import { requestSignIn } from '../request.ts';
import { serveAssets } from './assets.ts';
import { serveEnterPage } from './enter.ts';
import { pageHeaders } from './headers.ts';
import { loadPageBrand } from './page-brand.ts';
import { renderSent, renderSignIn } from './render.ts';
import { readField, sendCompleted, sendHtml, sendProblem, textsOf } from './respond.ts';
import { serveWelcome } from './welcome.ts';

const bodyLimitBytes = 8 * 1024;

/** Registers the pages in a separate scope, in which bodies are forms. */
export async function serveSignIn(app: FastifyInstance, ctx: Context): Promise<void> {
  await app.register(async (scope) => {
    serveAssets(scope);
    await scope.register(async (pages) => {
      parseFormsOnly(pages);
      pages.addHook('onRequest', async (request, reply) => {
        void reply.headers(pageHeaders);
        if (request.method !== 'POST' || isOwnOrigin(ctx.config, request.headers)) return;
        await sendProblem(request, reply.code(403), 'otherSite');
      });
      pages.addHook('preHandler', (request) => loadPageBrand(ctx, request, readField(request, 'next')));
      pages.setErrorHandler((error, request, reply) => sendError(ctx, error, request, reply));
      serveRequest(pages, ctx);
      serveCode(pages, ctx);
      serveEnterPage(pages, ctx);
      serveWelcome(pages, ctx);
      serveSetUp(pages, ctx);
    });
  });
}

function parseFormsOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: bodyLimitBytes },
    async (_request: unknown, body: string | Buffer) => new URLSearchParams(String(body).toWellFormed().replaceAll('\0', '')),
  );
  app.addContentTypeParser('*', async () => new URLSearchParams());
}

function serveRequest(app: FastifyInstance, ctx: Context): void {
  type Shown = { email: string; error: 'invalidEmail' | 'noProvider' | null };
  const show = async (request: FastifyRequest, reply: FastifyReply, { email, error }: Shown) => {
    const texts = textsOf(request);
    const caller = toCaller(request);
    const hasPasskeys = findRelyingParty(ctx.config, caller) !== null;
    const next = parseNextPath(readField(request, 'next'));
    const shown = { texts, next, email, error: error && texts.signIn[error], hasMail: ctx.mailer !== null, hasPasskeys };
    const isSetUp = await hasFirstUser(ctx);
    const offersSingleSignOn = caller.site === null && (await hasSingleSignOn(ctx));
    return sendHtml(reply, renderSignIn({ ...shown, hasSingleSignOn: offersSingleSignOn, isSetUp }));
  };
  app.get('/sign-in', async (request, reply) => {
    const token = readSessionToken(ctx.config, request.headers.cookie);
    const user = token === null ? null : await findUser(ctx, token);
    if (user)
      return reply.redirect(
        await findNextPath(ctx, { userId: user.id, siteProgramId: user.siteProgramId }, readField(request, 'next')),
        303,
      );
    if (readVisitor(ctx.config, request.headers.cookie) === null) void reply.header('set-cookie', createVisitorCookie(ctx.config));
    return show(request, reply, { email: '', error: null });
  });
  app.post('/sign-in', async (request, reply) => {
    const email = readField(request, 'email')?.trim() ?? '';
    const key = emailKey(email);
    if (key === null) return show(request, reply.code(400), { email, error: 'invalidEmail' });
    const texts = textsOf(request);
    const next = parseNextPath(readField(request, 'next'));
    const { ip, headers, site } = toCaller(request);
    const { setCookie } = await requestSignIn(ctx, { email, next, locale: texts.lang, ip, headers, site });
    void reply.header('set-cookie', setCookie);
    const singleSignOnEmail = site === null && (await findSignInDomain(ctx, key)) ? email : null;
    return sendHtml(reply, renderSent({ texts, next, error: null, hasMail: ctx.mailer !== null, singleSignOnEmail }));
  });
  serveSingleSignOn(app, ctx, (request, reply, error) => show(request, reply, { email: readField(request, 'email') ?? '', error }));
}

function serveCode(app: FastifyInstance, ctx: Context): void {
  app.get('/sign-in/code', async (_request, reply) => reply.redirect('/sign-in', 303));
  app.post('/sign-in/code', async (request, reply) => {
    const code = readField(request, 'code') ?? '';
    const secondFactorCode = readField(request, 'secondFactorCode');
    const completed = await completeCode(ctx, { code, secondFactorCode, browser: readBrowser(ctx, toCaller(request)) });
    return sendCompleted(request, reply, ctx, { completed, action: '/sign-in/code', emailCode: code });
  });
}

function sendError(ctx: Context, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof TooManyEmails) {
    void reply.header('retry-after', String(error.retryAfterSeconds ?? 60));
    return sendProblem(request, reply.code(429), 'tooManyEmails');
  }
  if (error instanceof RateLimited) {
    void reply.header('retry-after', String(error.retryAfterSeconds ?? 60));
    return sendProblem(request, reply.code(429), 'tooMany');
  }
  const status =
    error instanceof ApiError ? error.status : error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 500) ctx.log.error({ err: error, requestId: request.id }, 'a sign-in page failed');
  return sendProblem(request, reply.code(status), 'failed');
}
