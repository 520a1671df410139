// `/set-up/TOKEN`: the form that creates the first user of an installation. It works without scripts, like the sign-in pages.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import { toCaller } from '../../../platform/http/caller.ts';
import { emailField, nameField } from '../../../platform/http/declaration/person-fields.ts';
import { html } from '../../../platform/lib/html.ts';
import { readBrowser } from '../sign-in/endpoints.ts';
import { fieldError, invalid, renderPage } from '../sign-in/pages/layout.ts';
import { readField, sendHtml, sendProblem, textsOf } from '../sign-in/pages/respond.ts';
import type { Texts } from '../sign-in/pages/texts.ts';
import { hasFirstUser } from '../users/first-user.ts';
import { isSetUpToken } from './link.ts';
import { setUpInstallation } from './set-up.ts';

type Token = { Params: { token: string } };
type Form = { email: string; organization: string; emailError: string | null; organizationError: string | null };

/** Registers the page together with the sign-in pages, which check where a form was sent from. */
export function serveSetUp(app: FastifyInstance, ctx: Context): void {
  app.get<Token>('/set-up/:token', async (request, reply) => {
    const { token } = request.params;
    if (!isSetUpToken(ctx, token)) return sendLinkProblem(request, reply, 'unknown');
    if (await hasFirstUser(ctx)) return sendLinkProblem(request, reply, 'used');
    return sendHtml(
      reply,
      renderSetUp(textsOf(request), token, { email: '', organization: '', emailError: null, organizationError: null }),
    );
  });
  app.post<Token>('/set-up/:token', async (request, reply) => {
    const { token } = request.params;
    const texts = textsOf(request);
    const given = { email: readField(request, 'email') ?? '', organization: readField(request, 'organization') ?? '' };
    const email = emailField.safeParse(given.email);
    const organization = nameField.safeParse(given.organization.trim());
    if (!email.success || !organization.success) {
      if (!isSetUpToken(ctx, token)) return sendLinkProblem(request, reply, 'unknown');
      const emailError = email.success ? null : texts.signIn.invalidEmail;
      const organizationError = organization.success ? null : texts.setUp.invalidOrganization;
      return sendHtml(reply.code(400), renderSetUp(texts, token, { ...given, emailError, organizationError }));
    }
    const browser = readBrowser(ctx, toCaller(request));
    const done = await setUpInstallation(ctx, { token, email: email.data, organizationName: organization.data, browser });
    if (done.kind !== 'done') return sendLinkProblem(request, reply, done.kind);
    return reply.header('set-cookie', done.setCookie).redirect('/welcome?next=/console', 303);
  });
}

const problemsOf = { unknown: { status: 404, problem: 'unknown' }, used: { status: 410, problem: 'setUp' } } as const;

function sendLinkProblem(request: FastifyRequest, reply: FastifyReply, kind: keyof typeof problemsOf): FastifyReply {
  const { status, problem } = problemsOf[kind];
  return sendProblem(request, reply.code(status), problem);
}

function renderSetUp(texts: Texts, token: string, { email, organization, emailError, organizationError }: Form): string {
  const { setUp } = texts;
  const content = html`<p>${setUp.intro}</p>
<form method="post" action="/set-up/${token}">
<label for="organization">${setUp.organization}</label>
<input id="organization" name="organization" required maxlength="100" dir="auto" autocomplete="organization" autofocus value="${organization}"${invalid(organizationError, 'organization-error')}>
${fieldError(organizationError, 'organization-error')}
<label for="email">${setUp.email}</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="username" autocapitalize="none" spellcheck="false" value="${email}"${invalid(emailError, 'email-error')}>
${fieldError(emailError, 'email-error')}<button>${setUp.submit}</button></form>
<p class="small">${setUp.once}</p>`;
  return renderPage({ texts, title: setUp.title, content });
}
