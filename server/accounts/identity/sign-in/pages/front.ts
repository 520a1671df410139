// The pages of an installation for people who open an address of it in a browser: `/`, and any address that doesn't exist.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { siteOf } from '../../../../platform/http/sites/site.ts';
import { html } from '../../../../platform/lib/html.ts';
import { pageHeaders } from './headers.ts';
import { renderPage } from './layout.ts';
import { sendHtml, textsOf } from './respond.ts';
import type { Texts } from './texts.ts';

/** Registers `/`. It names no program: one installation serves many. On a custom domain it redirects to the portal. */
export function serveFrontPage(app: FastifyInstance): void {
  app.get('/', async (request, reply) => sendHtml(reply.headers(pageHeaders), renderFrontPage(textsOf(request))));
  const onSite = { constraints: { site: 'portal' } };
  app.get('/', onSite, async (request, reply) => reply.redirect(`/portal/${siteOf(request.raw)?.programId ?? ''}`, 302));
}

/** Sends the 404 of a browser. */
export function sendNotFoundPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendHtml(reply.code(404).headers(pageHeaders), renderNotFoundPage(textsOf(request)));
}

function renderFrontPage(texts: Texts): string {
  const { front } = texts;
  const content = html`<p>${front.intro}</p><a class="button" href="/sign-in">${front.signIn}</a>
<p class="small"><a href="/docs">${front.docs}</a> · <a href="/docs/api">${front.reference}</a></p>`;
  return renderPage({ texts, title: front.title, content });
}

function renderNotFoundPage(texts: Texts): string {
  const { notFound } = texts;
  const content = html`<p>${notFound.text}</p><a class="button" href="/">${notFound.back}</a>`;
  return renderPage({ texts, title: notFound.title, content });
}
