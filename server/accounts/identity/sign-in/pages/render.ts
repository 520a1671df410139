// The sign-in pages, each a pure function of what it shows.
import { type Html, html } from '../../../../platform/lib/html.ts';
import { isolateRightToLeft } from '../../../../platform/lib/text.ts';
import { fieldError, hidden, invalid, renderPage } from './layout.ts';
import type { Texts } from './texts.ts';

type Frame = { texts: Texts; next: string | null };

const linkCommand = (email: string) => html`<code>bin/tributary user link ${email}</code>`;

type SignInPage = Frame & {
  email: string;
  error: string | null;
  hasMail: boolean;
  hasPasskeys: boolean;
  hasSingleSignOn: boolean;
  isSetUp: boolean;
};

/** `/sign-in`: one field for the address, and passkeys where the browser and the URL of the service allow them. */
export function renderSignIn({ texts, next, email, error, hasMail, hasPasskeys, hasSingleSignOn, isSetUp }: SignInPage): string {
  const { signIn } = texts;
  const noMail = html`<div class="notice"><strong>${signIn.noMailTitle}</strong> ${signIn.noMail}${linkCommand('EMAIL')}</div>`;
  const notSetUp = html`<div class="notice"><strong>${signIn.notSetUpTitle}</strong> ${signIn.notSetUp}</div>`;
  const singleSignOnButton = html`<button class="plain" formaction="/sign-in/sso">${signIn.singleSignOn}</button>`;
  const content = html`<p>${signIn.intro}</p>${isSetUp ? (hasMail ? null : noMail) : notSetUp}
<form method="post" action="/sign-in">${hidden('next', next)}
<label for="email">${signIn.email}</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="username" autocapitalize="none" spellcheck="false" value="${email}"${invalid(error)}>
${fieldError(error)}<button>${signIn.submit}</button>${hasSingleSignOn ? singleSignOnButton : null}</form>
${hasPasskeys ? renderPasskeyButton(texts, next) : null}`;
  return renderPage({ texts, title: signIn.title, content, hasScript: hasPasskeys });
}

/** Hidden until the script finds that the browser knows passkeys. */
function renderPasskeyButton(texts: Texts, next: string | null): Html {
  return html`<div id="passkey-sign-in" data-next="${next ?? ''}" hidden><p class="or">${texts.signIn.or}</p>
<button type="button" class="plain">${texts.signIn.passkey}</button>
<p class="error small" role="alert" hidden>${texts.passkeyFailed}</p></div>`;
}

type SentPage = Frame & {
  error: string | null;
  hasMail: boolean;
  /** The address, if its domain has single sign-on. */
  singleSignOnEmail: string | null;
};

/** After the request: the same page for every address of a domain, with the field for the code. */
export function renderSent({ texts, next, error, hasMail, singleSignOnEmail }: SentPage): string {
  const { sent } = texts;
  const singleSignOn = html`<div class="notice">${sent.singleSignOn}</div><form method="post" action="/sign-in/sso">
${hidden('next', next)}${hidden('email', singleSignOnEmail)}<button>${texts.signIn.singleSignOn}</button></form>`;
  const other = singleSignOnEmail === null ? null : singleSignOn;
  if (!hasMail) {
    const content = html`${other}<div class="notice">${sent.noMail}${linkCommand('EMAIL')}</div>
<a class="button" href="/sign-in">${sent.restart}</a>`;
    return renderPage({ texts, title: texts.signIn.noMailTitle, content });
  }
  const content = html`${other}<p>${sent.intro}</p><p>${sent.details}</p>
<form method="post" action="/sign-in/code">${hidden('next', next)}
<label for="code">${sent.code}</label>
<input class="code" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="12" autofocus${invalid(error)}>
${fieldError(error)}<button>${sent.submit}</button></form>
<p class="small"><a href="/sign-in">${sent.restart}</a></p>`;
  return renderPage({ texts, title: sent.title, content });
}

type EnterPage = Frame & {
  token: string;
  email: string;
  programs: readonly string[];
  isOtherBrowser: boolean;
  /** An invitation of an existing user; it does not sign the user in. */
  isAcceptance: boolean;
};

/** `/enter/TOKEN`: who would be signed in, and where. Only its button signs in. */
export function renderEnter({ texts, next, token, email, programs, isOtherBrowser, isAcceptance }: EnterPage): string {
  const { enter } = texts;
  const [program, ...others] = programs;
  const name = isolateRightToLeft(program ?? 'Tributary');
  const where = others.length === 0 ? name : `${name} ${enter.more(others.length)}`;
  const content = html`<div class="who"><span>${isAcceptance ? enter.acceptAs : enter.as}</span><strong>${email}</strong><span>${enter.to} ${where}</span></div>
${isOtherBrowser ? html`<div class="notice">${enter.otherBrowser}</div>` : null}
<form method="post" action="/enter/${token}">${hidden('next', next)}<button autofocus>${isAcceptance ? enter.accept : enter.submit}</button></form>
<p class="small">${isAcceptance ? enter.acceptOnce : enter.once}</p>`;
  return renderPage({ texts, title: isAcceptance ? enter.acceptTitle : enter.title, content });
}

/** After an existing user accepted an invitation: they sign in as usual. */
export function renderAccepted({ texts, next, email }: Frame & { email: string }): string {
  const { accepted } = texts;
  const content = html`<p>${accepted.text}</p>
<form method="post" action="/sign-in">${hidden('next', next)}${hidden('email', email)}<button>${accepted.submit}</button></form>
<p class="small"><a href="/sign-in">${accepted.otherWays}</a></p>`;
  return renderPage({ texts, title: accepted.title, content });
}

/** The first proof is sent again with the second one, so that nothing is stored in between. */
type SecondFactorPage = Frame & { action: string; emailCode: string | null; error: string | null };

export function renderSecondFactor({ texts, next, action, emailCode, error }: SecondFactorPage): string {
  const { secondFactor } = texts;
  const content = html`<p>${secondFactor.intro}</p>
<form method="post" action="${action}">${hidden('next', next)}${hidden('code', emailCode)}
<label for="second">${secondFactor.code}</label>
<input class="code" id="second" name="secondFactorCode" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required maxlength="24" autofocus${invalid(error)}>
${fieldError(error)}<button>${secondFactor.submit}</button></form>`;
  return renderPage({ texts, title: secondFactor.title, content });
}

type WelcomePage = Frame & { name: string; error: string | null; hasPasskeys: boolean; isMember: boolean };

/** After the first sign-in: the name, and the offer of a passkey. */
export function renderWelcome({ texts, next, name, error, hasPasskeys, isMember }: WelcomePage): string {
  const { welcome } = texts;
  const offer = html`<div class="offer" id="passkey-offer" hidden><h2>${welcome.passkeyTitle}</h2><p>${welcome.passkeyIntro}</p>
<button type="button" class="plain">${welcome.passkey}</button>
<p class="small" role="status" hidden>${welcome.passkeyAdded}</p><p class="error small" role="alert" hidden>${texts.passkeyFailed}</p></div>`;
  const content = html`<p>${isMember ? welcome.intro : welcome.affiliateIntro}</p>
<form method="post" action="/welcome">${hidden('next', next)}
<label for="name">${welcome.name}</label>
<input id="name" name="name" required dir="auto" maxlength="200" autocomplete="name" value="${name}"${invalid(error)}>
${fieldError(error)}${hasPasskeys ? offer : null}<button>${welcome.submit}</button></form>`;
  return renderPage({ texts, title: welcome.title, content, hasScript: hasPasskeys });
}

export type Problem = Exclude<keyof Texts['problems'], 'newLink' | 'toSignIn'>;

/** Before the provider's page: browsers follow the address at once, as a redirect after a form may not lead to another site. */
export function renderProvider({ texts, url }: { texts: Texts; url: string }): string {
  const { provider } = texts;
  const content = html`<p>${provider.text(new URL(url).host)}</p><a class="button" href="${url}">${provider.submit}</a>`;
  return renderPage({ texts, title: provider.title, content, refreshUrl: url });
}

/** A message with the way to a new link. `email` is set only where the caller has proved to know it. */
export function renderProblem({ texts, next, problem, email }: Frame & { problem: Problem; email: string | null }): string {
  const { problems } = texts;
  const { title, text } = problems[problem];
  const again = html`<form method="post" action="/sign-in">${hidden('next', next)}${hidden('email', email)}<button>${problems.newLink}</button></form>`;
  const content = html`<p>${text}</p>${email === null ? html`<a class="button" href="/sign-in">${problems.toSignIn}</a>` : again}`;
  return renderPage({ texts, title, content });
}
