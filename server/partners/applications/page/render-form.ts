// The join page: what the program offers, and the form. A form that was sent with mistakes keeps what was typed, lists the
// mistakes at its top, and states each at its field.
import { formatCents } from '../../../platform/lib/currency.ts';
import { type Html, html, trustedHtml } from '../../../platform/lib/html.ts';
import { isolateRightToLeft } from '../../../platform/lib/text.ts';
import type { Recruiter } from '../recruiting.ts';
import type { Terms } from '../settings/join-form.ts';
import type { Question } from '../settings/question.ts';
import { type Frame, type RenderedPage, renderBrand, renderDocument } from './layout.ts';
import type { JoinPage } from './load.ts';
import { type FieldErrors, fieldOf, type Typed, trapField } from './read-form.ts';
import { type Delivery, renderRecruiterField } from './render-steps.ts';
import type { JoinTexts } from './texts.ts';

type FormPage = {
  words: JoinTexts;
  page: JoinPage;
  /** The affiliate whose recruiting link was opened. */
  recruiter: Recruiter | null;
  typed: Typed;
  errors: FieldErrors;
  delivery: Delivery;
};

export function renderForm({ words, page, recruiter, typed, errors, delivery }: FormPage): RenderedPage {
  const { program, brand, form } = page;
  const frame: Frame = { words, program, brand };
  const title = words.title(isolateRightToLeft(program.name));
  const notices: Record<Delivery, Html | null> = {
    email: null,
    mailbox: html`<div class="notice"><strong>${words.inMailbox.title}.</strong> ${words.inMailbox.form}</div>`,
    none: html`<div class="notice"><strong>${words.noMail.title}.</strong> ${words.noMail.text}</div>`,
  };
  const content = html`<div class="frame">${renderBrand(frame)}<main class="page">
<div class="story"><h1>${title}</h1>${recruiter && renderRecruiter(words, recruiter)}${form.intro === null ? null : html`<p class="intro" dir="auto">${form.intro}</p>`}${renderFacts(words, page)}</div>
<section class="card" aria-labelledby="form"><h2 id="form">${words.form}</h2>${notices[delivery]}${renderSummary(words, errors, form.questions)}
${renderFields({ words, page, recruiter, typed, errors })}</section></main></div>`;
  const description = words.description(isolateRightToLeft(program.name));
  return renderDocument({ ...frame, title, description, isIndexed: recruiter === null, content });
}

function renderRecruiter(words: JoinTexts, { firstName }: Recruiter): Html {
  const name = isolateRightToLeft(firstName);
  return html`<p class="recruiter"><strong>${words.recruiter.title(name)}</strong> ${words.recruiter.text(name)}</p>`;
}

function renderFacts(words: JoinTexts, { program, rate }: JoinPage): Html {
  const { currency, attributionWindowDays, holdDays, minimumPayoutCents } = program;
  const money = (cents: number) => formatCents(cents, currency, { language: words.lang });
  const percent = new Intl.NumberFormat(words.lang, { style: 'percent', maximumFractionDigits: 6 });
  const earned = rate && (rate.type === 'flat' ? money(rate.amountCents) : percent.format(rate.rate / 100));
  const facts = [
    ...(rate ? [[earned, words.earn[rate.type]]] : []),
    [words.days(attributionWindowDays), words.window],
    ...(holdDays > 0 ? [[words.days(holdDays), words.hold]] : []),
    ...(minimumPayoutCents > 0 ? [[money(minimumPayoutCents), words.minimum]] : []),
  ];
  const rows = facts.map(([value, text]) => html`<div><dt>${value}</dt><dd>${text}</dd></div>`);
  return html`<dl class="facts" aria-label="${words.facts}">${rows}</dl>`;
}

function renderSummary(words: JoinTexts, errors: FieldErrors, questions: readonly Question[]): Html | null {
  if (errors.size === 0) return null;
  const fixed = new Map([
    ['firstName', words.firstName],
    ['lastName', words.lastName],
    ['email', words.email],
    ['acceptTerms', words.terms],
  ]);
  const labelOf = (name: string) => fixed.get(name) ?? questions.find((question) => fieldOf(question) === name)?.label ?? name;
  const items = [...errors.keys()].map((name) => html`<li><a href="#${name}"><bdi>${labelOf(name)}</bdi></a></li>`);
  return html`<div class="summary" role="alert"><strong>${words.problems(errors.size)}</strong><ul>${items}</ul></div>`;
}

type Fields = Omit<FormPage, 'delivery'>;

function renderFields({ words, page, recruiter, typed, errors }: Fields): Html {
  const { program, form } = page;
  const input = (name: string, label: string, attributes: string, { help = null, isRequired = true }: Partial<Field> = {}) => {
    const field: Field = { name, label, help, isRequired, error: errors.get(name) ?? null, words };
    const value = typed.get(name) ?? '';
    const required = isRequired ? trustedHtml(' required') : null;
    const control = html`<input id="${name}" name="${name}" ${trustedHtml(attributes)}${required} value="${value}"${describe(field)}>`;
    return renderField(field, control);
  };
  return html`<form method="post" action="/join/${program.slug}" novalidate>${recruiter && renderRecruiterField(recruiter)}
<div class="pair">${input('firstName', words.firstName, 'dir="auto" maxlength="100" autocomplete="given-name"')}
${input('lastName', words.lastName, 'dir="auto" maxlength="100" autocomplete="family-name"', { isRequired: false })}</div>
${input('email', words.email, 'type="email" maxlength="254" autocomplete="email" autocapitalize="none" spellcheck="false"', { help: words.emailHelp })}
${form.questions.map((question) => renderQuestion({ words, question, typed, errors }))}
${form.terms ? renderTerms({ words, program, terms: form.terms, error: errors.get('acceptTerms') ?? null, typed }) : null}
<div class="trap" aria-hidden="true"><label>${words.leaveEmpty}<input name="${trapField}" tabindex="-1" autocomplete="off"></label></div>
<button>${words.submit}</button>
<p class="small">${words.privacy(isolateRightToLeft(program.name))}</p>
<p class="small">${words.signIn} <a href="/sign-in?next=/portal">${words.signInLink}</a></p></form>`;
}

type Field = { name: string; label: string; help: string | null; isRequired: boolean; error: string | null; words: JoinTexts };

const helpId = (name: string) => `${name}-help`;
const errorId = (name: string) => `${name}-error`;

/** The attributes that connect a control with its help and its error. */
function describe({ name, help, error }: Pick<Field, 'name' | 'help' | 'error'>): Html | null {
  const ids = [...(error === null ? [] : [errorId(name)]), ...(help === null ? [] : [helpId(name)])].join(' ');
  const described = ids === '' ? null : html` aria-describedby="${ids}"`;
  return html`${error === null ? null : trustedHtml(' aria-invalid="true"')}${described}`;
}

function renderOptional({ isRequired, words }: Pick<Field, 'isRequired' | 'words'>): Html | null {
  return isRequired ? null : html` <span class="optional">(${words.optional})</span>`;
}

function renderNotes({ name, help, error }: Pick<Field, 'name' | 'help' | 'error'>): Html {
  return html`${help === null ? null : html`<p class="help" id="${helpId(name)}" dir="auto">${help}</p>`}
${error === null ? null : html`<p class="error" id="${errorId(name)}">${error}</p>`}`;
}

function renderField(field: Field, control: Html): Html {
  return html`<div class="field"><label for="${field.name}"><bdi>${field.label}</bdi>${renderOptional(field)}</label>${control}${renderNotes(field)}</div>`;
}

type Asked = Pick<FormPage, 'words' | 'typed' | 'errors'> & { question: Question };

/** More options than this are a list to open; so are optional choices, because a chosen radio button can't be cleared. */
const maxRadios = 6;

function renderQuestion({ words, question, typed, errors }: Asked): Html {
  const { kind, label, help, isRequired, options } = question;
  const name = fieldOf(question);
  const value = typed.get(name) ?? '';
  const field: Field = { name, label, help, isRequired, error: errors.get(name) ?? null, words };
  const required = isRequired ? trustedHtml(' required') : null;
  if (kind === 'choice' && isRequired && options.length <= maxRadios) return renderRadios(field, options, value);
  if (kind === 'choice') {
    const choices = options.map((option) => html`<option value="${option}"${isChosen(option === value, 'selected')}>${option}</option>`);
    return renderField(
      field,
      html`<select id="${name}" name="${name}"${required}${describe(field)}><option value="">${words.choose}</option>${choices}</select>`,
    );
  }
  if (kind === 'long_text') {
    const text = html`<textarea id="${name}" name="${name}" dir="auto" rows="4" maxlength="2000"${required}${describe(field)}>
${value}</textarea>`;
    return renderField(field, text);
  }
  const attributes =
    kind === 'url' ? 'maxlength="2048" inputmode="url" autocapitalize="none" spellcheck="false"' : 'dir="auto" maxlength="200"';
  const input = html`<input id="${name}" name="${name}" ${trustedHtml(attributes)}${required} value="${value}"${describe(field)}>`;
  return renderField(field, input);
}

const isChosen = (is: boolean, attribute: 'selected' | 'checked') => (is ? trustedHtml(` ${attribute}`) : null);

function renderRadios(field: Field, options: readonly string[], value: string): Html {
  const { name, label } = field;
  const choices = options.map(
    (option, index) =>
      html`<label class="choice"><input type="radio"${index === 0 ? html` id="${name}"` : null} name="${name}" value="${option}" required${isChosen(option === value, 'checked')}><bdi>${option}</bdi></label>`,
  );
  return html`<fieldset class="field"${describe(field)}><legend><bdi>${label}</bdi></legend>${renderNotes(field)}<div class="choices">${choices}</div></fieldset>`;
}

type TermsField = { words: JoinTexts; program: JoinPage['program']; terms: Terms; error: string | null; typed: Typed };

function renderTerms({ words, program, terms, error, typed }: TermsField): Html {
  const day = new Intl.DateTimeFormat(words.lang === 'de' ? 'de-DE' : 'en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  const isAccepted = typed.get('acceptTerms') === 'yes' && typed.get('termsVersion') === String(terms.version);
  const name = 'acceptTerms';
  return html`<div class="field"><h3 id="terms">${words.terms}<span class="version">${words.termsVersion(terms.version, day.format(terms.createdAt))}</span></h3>
<div class="terms" role="region" aria-labelledby="terms" tabindex="0" dir="auto">${terms.text}</div>
<input type="hidden" name="termsVersion" value="${terms.version}">
<label class="accept"><input type="checkbox" id="${name}" name="${name}" value="yes" required${isChosen(isAccepted, 'checked')}${describe({ name, help: null, error })}><span>${words.acceptTerms(isolateRightToLeft(program.name))}</span></label>
${renderNotes({ name, help: null, error })}</div>`;
}
