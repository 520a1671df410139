// What the sign-in pages have in common: fields, languages, and the page that follows an attempt.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../../context.ts';
import { RateLimited } from '../../../../platform/lib/errors.ts';
import type { Completed } from '../complete.ts';
import { findNextPath, parseNextPath } from '../next-path.ts';
import { brandOf } from './page-brand.ts';
import { type Problem, renderAccepted, renderProblem, renderSecondFactor, renderSent } from './render.ts';
import { type Texts, textsForHeader } from './texts.ts';

type Sent = {
  completed: Completed;
  action: string;
  emailCode: string | null;
  /** Where the browser continues; by default what the form or the URL names. */
  next?: string | null;
};

const statuses = { unknown: 404, used: 410, expired: 410, denied: 403 };

/** The page that follows an attempt to sign in. */
export async function sendCompleted(request: FastifyRequest, reply: FastifyReply, ctx: Context, sent: Sent) {
  const { completed, action, emailCode } = sent;
  const texts = textsOf(request);
  const next = parseNextPath(sent.next ?? readField(request, 'next'));
  switch (completed.kind) {
    case 'signed_in': {
      const path = await findNextPath(ctx, completed, next);
      return reply
        .header('set-cookie', completed.setCookie)
        .redirect(completed.isFirst ? `/welcome?next=${encodeURIComponent(path)}` : path, 303);
    }
    case 'accepted':
      if (completed.isSignedIn) return reply.redirect(await findNextPath(ctx, completed, next), 303);
      return sendHtml(reply, renderAccepted({ texts, next, email: completed.email }));
    case 'second_factor_required':
      return sendHtml(reply, renderSecondFactor({ texts, next, action, emailCode, error: null }));
    case 'wrong_second_factor': {
      if (completed.retryAfterSeconds !== null) throw new RateLimited(completed.retryAfterSeconds);
      return sendHtml(reply.code(400), renderSecondFactor({ texts, next, action, emailCode, error: texts.secondFactor.wrongCode }));
    }
    case 'wrong_code':
      return sendHtml(reply.code(400), renderSent({ texts, next, error: texts.sent.wrongCode, hasMail: true, singleSignOnEmail: null }));
    case 'single_sign_on_required':
      return sendProblem(request, reply.code(403), 'ssoRequired');
    case 'link_problem':
      return sendProblem(request, reply.code(statuses[completed.problem]), completed.problem, completed.email);
  }
}

/** A page with a message. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem, email: string | null = null): FastifyReply {
  const next = parseNextPath(readField(request, 'next'));
  return sendHtml(reply, renderProblem({ texts: textsOf(request), next, problem, email }));
}

/** The texts in the language of a request, with the brand that its pages show. */
export function textsOf(request: FastifyRequest): Texts {
  return { ...textsForHeader(request.headers['accept-language']), brand: brandOf(request) };
}

/** A field of the form, or of the query of a page. Null if it is missing. */
export function readField({ body, query }: FastifyRequest, name: string): string | null {
  if (body instanceof URLSearchParams) return body.get(name);
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : null;
}

export function sendHtml(reply: FastifyReply, page: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(page);
}
