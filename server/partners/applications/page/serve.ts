// Serves the join pages: `/join/PROGRAM`, the code, and the link of the email. They work without scripts. The response to a
// form is the same for every address, and reading a page changes nothing.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createVisitorCookie, readVisitor } from '../../../accounts/identity/sign-in/browser-cookie.ts';
import { TooManyEmails } from '../../../accounts/identity/sign-in/count-email.ts';
import { readBrowser } from '../../../accounts/identity/sign-in/endpoints.ts';
import type { Context } from '../../../context.ts';
import { toCaller } from '../../../platform/http/caller.ts';
import { isOwnOrigin } from '../../../platform/http/session-cookie.ts';
import { ApiError, RateLimited } from '../../../platform/lib/errors.ts';
import { toProgramContext } from '../../../platform/test-clocks/program-clock.ts';
import { type Confirmed, confirmWithCode, confirmWithLink, findApplication } from '../confirm.ts';
import { findCodeOfLink, findRecruiter, type Recruiter, recruiterField } from '../recruiting.ts';
import { canConfirm, submitApplication } from '../submit.ts';
import type { Frame, RenderedPage } from './layout.ts';
import { type JoinPage, loadJoinPage } from './load.ts';
import { readSentForm } from './read-form.ts';
import { renderForm } from './render-form.ts';
import { type Delivery, type JoinProblem, renderClosed, renderConfirm, renderProblem, renderSent } from './render-steps.ts';
import { type JoinTexts, joinTexts } from './texts.ts';

/** Twelve long answers, in characters of four bytes. */
const bodyLimitBytes = 256 * 1024;

// With `no-referrer`, browsers would send `Origin: null` with the forms. Other sites get no address either way.
const headers = {
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  vary: 'accept-language',
};

type Address = { Params: { program: string; token: string }; Querystring: Record<string, unknown> };
type Handled = { request: FastifyRequest<Address>; reply: FastifyReply; page: JoinPage; words: JoinTexts };

/** Registers the pages in a separate scope, in which bodies are forms. */
export async function serveJoin(app: FastifyInstance, ctx: Context): Promise<void> {
  await app.register(async (scope) => {
    parseFormsOnly(scope);
    scope.addHook('onRequest', async (request, reply) => {
      void reply.headers(headers);
      if (request.method !== 'POST' || isOwnOrigin(ctx.config, request.headers)) return;
      await sendProblem(request, reply.code(403), { problem: 'otherSite', page: null });
    });
    scope.setErrorHandler((error, request, reply) => sendError(ctx, error, request, reply));
    const route = (method: 'GET' | 'POST', url: string, handle: (ctx: Context, handled: Handled) => Promise<FastifyReply>) =>
      scope.route<Address>({
        method,
        url,
        handler: async (request, reply) => {
          const page = await loadJoinPage(ctx, request.params.program);
          if (!page) return sendProblem(request, reply.code(404), { problem: 'missing', page: null });
          return handle(await toProgramContext(ctx, page.program.id), { request, reply, page, words: wordsOf(request) });
        },
      });
    route('GET', '/join/:program', showForm);
    route('POST', '/join/:program', receiveForm);
    route('GET', '/join/:program/code', async (_ctx, { reply, page }) => reply.redirect(`/join/${page.program.slug}`, 303));
    route('POST', '/join/:program/code', receiveCode);
    route('GET', '/join/:program/confirm/:token', showLink);
    route('POST', '/join/:program/confirm/:token', receiveLink);
    scope.get('/join/*', async (request, reply) => sendProblem(request, reply.code(404), { problem: 'missing', page: null }));
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

const none = new Map<string, string>();

async function showForm(ctx: Context, { request, reply, page, words }: Handled): Promise<FastifyReply> {
  if (readVisitor(ctx.config, request.headers.cookie) === null) void reply.header('set-cookie', createVisitorCookie(ctx.config));
  if (!page.form.isOpen) return send(reply, renderClosed(frameOf(page, words)));
  const delivery = await findDelivery(ctx, page);
  const code = request.query[recruiterField];
  const recruiter = await findRecruiter(ctx, page.program.id, typeof code === 'string' ? code : null);
  return send(reply, renderForm({ words, page, recruiter, typed: none, errors: none, delivery }));
}

/** The affiliate whose code a form carries. */
function readRecruiter(ctx: Context, { request, page }: Handled): Promise<Recruiter | null> {
  return findRecruiter(ctx, page.program.id, formOf(request).get(recruiterField));
}

/** How the applicant gets the link that confirms the address. */
async function findDelivery(ctx: Context, { program }: JoinPage): Promise<Delivery> {
  if (ctx.mailer) return 'email';
  return (await canConfirm(ctx, program.id)) ? 'mailbox' : 'none';
}

async function receiveForm(ctx: Context, handled: Handled): Promise<FastifyReply> {
  const { request, reply, page, words } = handled;
  if (!page.form.isOpen) return showForm(ctx, handled);
  const delivery = await findDelivery(ctx, page);
  const { typed, errors, form, isSpam } = readSentForm(formOf(request), page.form, words);
  const recruiter = await readRecruiter(ctx, handled);
  if (!form) return send(reply.code(400), renderForm({ words, page, recruiter, typed, errors, delivery }));
  const { ip, headers } = request;
  const recruiterId = recruiter?.id ?? null;
  const submission = { programId: page.program.id, form, recruiterId, locale: words.lang, ip, cookies: headers.cookie, isSpam };
  const { setCookie } = await submitApplication(ctx, submission);
  const sent = { ...frameOf(page, words), slug: page.program.slug, recruiter, delivery, hasError: false };
  return send(reply.header('set-cookie', setCookie), renderSent(sent));
}

async function receiveCode(ctx: Context, handled: Handled): Promise<FastifyReply> {
  const { request, page } = handled;
  const code = (formOf(request).get('code') ?? '').slice(0, 40);
  const confirmed = await confirmWithCode(ctx, { programId: page.program.id, code, browser: readBrowser(ctx, toCaller(request)) });
  return sendConfirmed(ctx, handled, confirmed);
}

async function showLink(ctx: Context, { request, reply, page, words }: Handled): Promise<FastifyReply> {
  const { token } = request.params;
  const found = await findApplication(ctx, { programId: page.program.id, token });
  if ('problem' in found) return sendLinkProblem(ctx, { request, reply, page, words }, found.problem);
  return send(reply, renderConfirm({ ...frameOf(page, words), slug: page.program.slug, token, email: found.application.email }));
}

async function receiveLink(ctx: Context, handled: Handled): Promise<FastifyReply> {
  const { request, page } = handled;
  const { token } = request.params;
  return sendConfirmed(
    ctx,
    handled,
    await confirmWithLink(ctx, { programId: page.program.id, token, browser: readBrowser(ctx, toCaller(request)) }),
  );
}

/** A confirmed applicant continues in the portal, where the status is shown; with an authenticator app, after signing in. */
async function sendConfirmed(ctx: Context, handled: Handled, confirmed: Confirmed): Promise<FastifyReply> {
  const { reply, page, words } = handled;
  if (confirmed.kind === 'link_problem') return sendLinkProblem(ctx, handled, confirmed.problem);
  if (confirmed.kind === 'wrong_code') {
    const sent = { slug: page.program.slug, recruiter: await readRecruiter(ctx, handled), delivery: 'email' as const, hasError: true };
    return send(reply.code(400), renderSent({ ...frameOf(page, words), ...sent }));
  }
  const status = `/portal/${page.program.id}`;
  if (confirmed.setCookie === null) return reply.redirect(`/sign-in?next=${encodeURIComponent(status)}`, 303);
  return reply.header('set-cookie', confirmed.setCookie).redirect(status, 303);
}

const linkStatuses = { unknown: 404, used: 410, expired: 410, denied: 403 };

async function sendLinkProblem(ctx: Context, handled: Handled, problem: keyof typeof linkStatuses): Promise<FastifyReply> {
  const { request, reply, page } = handled;
  const referralCode = await findCodeOfLink(ctx, page.program.id, request.params.token);
  const recruiter = referralCode === null ? null : { referralCode };
  return sendProblem(request, reply.code(linkStatuses[problem]), { problem, page, recruiter });
}

type Shown = { problem: JoinProblem; page: JoinPage | null; recruiter?: { referralCode: string } | null };

function sendProblem(request: FastifyRequest, reply: FastifyReply, { problem, page, recruiter = null }: Shown): FastifyReply {
  const words = wordsOf(request);
  const frame: Frame = page ? frameOf(page, words) : { words, program: null, brand: null };
  return send(reply, renderProblem({ ...frame, slug: page?.program.slug ?? null, recruiter, problem }));
}

function sendError(ctx: Context, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof TooManyEmails) {
    void reply.header('retry-after', String(error.retryAfterSeconds ?? 60));
    return sendProblem(request, reply.code(429), { problem: 'tooManyEmails', page: null });
  }
  if (error instanceof RateLimited) {
    void reply.header('retry-after', String(error.retryAfterSeconds ?? 60));
    return sendProblem(request, reply.code(429), { problem: 'tooMany', page: null });
  }
  const status =
    error instanceof ApiError ? error.status : error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 500) ctx.log.error({ err: error, requestId: request.id }, 'a join page failed');
  return sendProblem(request, reply.code(status), { problem: 'failed', page: null });
}

function frameOf({ program, brand }: JoinPage, words: JoinTexts): Frame {
  return { words, program, brand };
}

function wordsOf(request: FastifyRequest): JoinTexts {
  return joinTexts(request.headers['accept-language']);
}

function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

function send(reply: FastifyReply, { html, policy }: RenderedPage): FastifyReply {
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html);
}
