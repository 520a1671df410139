// The pages after the form: the code, the confirmation, and everything that prevents an application.
import { type Html, html } from '../../../platform/lib/html.ts';
import { isolateRightToLeft } from '../../../platform/lib/text.ts';
import { type Recruiter, recruiterField } from '../recruiting.ts';
import { type Frame, type RenderedPage, renderCard } from './layout.ts';
import type { JoinTexts } from './texts.ts';

type ProgramFrame = Frame & { slug: string };
type Recruited = { recruiter: Pick<Recruiter, 'referralCode'> | null };

/** The address of the form, with the code of the recruiting link that was opened. */
function formPath(slug: string, { recruiter }: Recruited): string {
  return recruiter ? `/join/${slug}?${recruiterField}=${recruiter.referralCode}` : `/join/${slug}`;
}

/** Carries the code of a recruiting link through the forms. */
export function renderRecruiterField({ referralCode }: Pick<Recruiter, 'referralCode'>): Html {
  return html`<input type="hidden" name="${recruiterField}" value="${referralCode}">`;
}

/** How the link that confirms an address arrives: by email, in the mailbox of the console, or not at all. */
export type Delivery = 'email' | 'mailbox' | 'none';

type Sent = ProgramFrame & Recruited & { delivery: Delivery; hasError: boolean };

/** After the form was sent: the same page for every address, with the field for the code. */
export function renderSent({ slug, recruiter, delivery, hasError, ...frame }: Sent): RenderedPage {
  const { sent, noMail, inMailbox, toForm } = frame.words;
  const form = formPath(slug, { recruiter });
  if (delivery === 'mailbox') return renderCard(frame, { title: inMailbox.title, content: html`<p>${inMailbox.sent}</p>` });
  if (delivery === 'none') {
    return renderCard(frame, { title: noMail.title, content: html`<p>${noMail.text}</p><a class="button" href="${form}">${toForm}</a>` });
  }
  const error = hasError ? html`<p class="error" id="error" role="alert">${sent.wrongCode}</p>` : null;
  const invalid = hasError ? html` aria-invalid="true" aria-describedby="error"` : null;
  const content = html`<p>${sent.intro}</p><p>${sent.details}</p>
<form method="post" action="/join/${slug}/code" novalidate>${recruiter && renderRecruiterField(recruiter)}<div class="field"><label for="code">${sent.code}</label>
<input class="code" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="12"${invalid}>${error}</div>
<button>${sent.submit}</button></form><p class="small"><a href="${form}">${sent.restart}</a></p>`;
  return renderCard(frame, { title: sent.title, content });
}

/** The page of a link. Fetching it changes nothing; its button sends the application. */
export function renderConfirm({ slug, token, email, ...frame }: ProgramFrame & { token: string; email: string }): RenderedPage {
  const { confirm } = frame.words;
  const content = html`<div class="who"><span>${confirm.as}</span><strong>${email}</strong><span>${confirm.to(isolateRightToLeft(frame.program?.name ?? ''))}</span></div>
<form method="post" action="/join/${slug}/confirm/${token}"><button autofocus>${confirm.submit}</button></form>
<p class="small">${confirm.once}</p>`;
  return renderCard(frame, { title: confirm.title, content });
}

/** The form accepts nothing at the moment. */
export function renderClosed(frame: Frame): RenderedPage {
  const { words, program } = frame;
  const content = html`<p>${words.closed.text(isolateRightToLeft(program?.name ?? ''))}</p>${renderWebsite(frame)}`;
  return renderCard(frame, { title: words.closed.title, content });
}

export type JoinProblem = keyof JoinTexts['problem'];

type Problem = Frame & Partial<Recruited> & { slug: string | null; problem: JoinProblem };

/** A message, with the way to what helps. `slug` is null for an address that belongs to no program. */
export function renderProblem({ slug, recruiter = null, problem, ...frame }: Problem): RenderedPage {
  const { words } = frame;
  const { title, text } = words.problem[problem];
  const toSignIn = html`<a class="button" href="/sign-in?next=/portal">${words.signInLink}</a>`;
  const toForm = slug === null ? null : html`<a class="button" href="${formPath(slug, { recruiter })}">${words.toForm}</a>`;
  const content = html`<p>${text}</p>${problem === 'used' ? toSignIn : toForm}`;
  return renderCard(frame, { title, content });
}

function renderWebsite({ words, program }: Frame) {
  if (!program || !/^https?:\/\//i.test(program.websiteUrl ?? '')) return null;
  return html`<a class="button" href="${program.websiteUrl}">${words.website(isolateRightToLeft(program.name))}</a>`;
}
