// The sign-in email: a button, a code, and who asked for it. Both forms are readable without images, in light and dark.
import type { BrowserName } from '../../accounts/identity/sign-in/describe-browser.ts';
import { html, trustedHtml } from '../../platform/lib/html.ts';
import type { RenderedEmail } from './layout.ts';

const texts = {
  en: {
    subject: (code: string | null) => (code === null ? 'Sign in to Tributary' : `${code} is your sign-in code`),
    confirmSubject: (code: string) => `${code} is your confirmation code`,
    heading: 'Sign in',
    confirmHeading: 'Confirm it’s you',
    intro: 'Continue with this button, or enter the code in the browser where you asked for it.',
    introWithoutCode: 'Continue with this button. Codes are disabled for a day, because too many wrong ones were entered.',
    confirmIntro: 'Enter this code in the console to continue with your change.',
    button: 'Sign in',
    code: 'Code',
    expires: 'Expires in 15 minutes and works once.',
    requested: (from: string, at: string) => `Requested from ${from} on ${at}.`,
    unknownBrowser: 'an unknown browser',
    on: 'on',
    ignore: 'If you didn’t ask for this, ignore this email. Never share the code: we don’t ask for it by phone or email.',
  },
  de: {
    subject: (code: string | null) => (code === null ? 'Bei Tributary anmelden' : `${code} ist der Anmeldecode`),
    confirmSubject: (code: string) => `${code} ist der Bestätigungscode`,
    heading: 'Anmelden',
    confirmHeading: 'Identität bestätigen',
    intro: 'Mit dieser Schaltfläche fortfahren oder den Code in dem Browser eingeben, in dem er angefordert wurde.',
    introWithoutCode: 'Mit dieser Schaltfläche fortfahren. Codes sind nach zu vielen Fehleingaben einen Tag lang deaktiviert.',
    confirmIntro: 'Diesen Code in der Konsole eingeben, um mit der Änderung fortzufahren.',
    button: 'Anmelden',
    code: 'Code',
    expires: 'Gültig für 15 Minuten und einmal verwendbar.',
    requested: (from: string, at: string) => `Angefordert von ${from} am ${at}.`,
    unknownBrowser: 'einem unbekannten Browser',
    on: 'unter',
    ignore: 'Falls nicht angefordert, diese E-Mail ignorieren. Den Code nie weitergeben: Wir fragen nicht per Telefon oder E-Mail danach.',
  },
};

type Locale = keyof typeof texts;

export type SignInEmail = {
  locale: string;
  /** Null for a confirmation, which happens in the console. */
  url: string | null;
  /** Null while too many wrong codes were entered. */
  code: string | null;
  requestedBy: BrowserName;
  requestedAt: Date;
};

/** Renders the email in both forms. */
export function renderSignInEmail(email: SignInEmail): RenderedEmail {
  const locale: Locale = email.locale === 'de' ? 'de' : 'en';
  const words = texts[locale];
  const isConfirmation = email.url === null;
  const content: Content = {
    locale,
    subject: isConfirmation ? words.confirmSubject(email.code ?? '') : words.subject(email.code),
    heading: isConfirmation ? words.confirmHeading : words.heading,
    intro: isConfirmation ? words.confirmIntro : email.code === null ? words.introWithoutCode : words.intro,
    url: email.url,
    code: email.code,
    notes: [words.expires, words.requested(describeOrigin(email.requestedBy, locale), formatTime(email.requestedAt, locale)), words.ignore],
  };
  return { subject: content.subject, text: renderText(content), html: renderHtml(content) };
}

function describeOrigin({ browser, system }: BrowserName, locale: Locale): string {
  const words = texts[locale];
  if (browser === null) return system ?? words.unknownBrowser;
  return system === null ? browser : `${browser} ${words.on} ${system}`;
}

/** To the minute, in UTC: where the reader is, isn't known. */
function formatTime(at: Date, locale: Locale): string {
  const form = new Intl.DateTimeFormat(locale === 'de' ? 'de-DE' : 'en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${form.format(at)} UTC`;
}

type Content = {
  locale: Locale;
  subject: string;
  heading: string;
  intro: string;
  url: string | null;
  code: string | null;
  notes: readonly string[];
};

function renderText({ locale, heading, intro, url, code, notes }: Content): string {
  const words = texts[locale];
  const parts = ['Tributary', heading, intro];
  if (url !== null) parts.push(`${words.button}: ${url}`);
  if (code !== null) parts.push(`${words.code}: ${code}`);
  return [...parts, ...notes, ''].join('\n\n');
}

const font = "font-family:Figtree,-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Email clients that know dark colour schemes use these; the others show the light one. */
const darkStyles = trustedHtml(`<style>:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.page{background:#0b1513!important}.card{background:#11201d!important;border-color:#26403a!important}
.ink{color:#e7f0ed!important}.ink2{color:#b2c4be!important}.well{background:#123833!important;color:#e7f0ed!important}
.button{background:#5cc8b6!important;color:#05201c!important}.brand{color:#5cc8b6!important}}</style>`);

function renderHtml({ locale, subject, heading, intro, url, code, notes }: Content): string {
  const words = texts[locale];
  const button =
    url !== null &&
    html`<a class="button" href="${url}" style="display:inline-block;background:#0a6560;color:#ffffff;text-decoration:none;font-size:16px;font-weight:600;padding:13px 26px;border-radius:8px">${words.button}</a>`;
  const well =
    code !== null &&
    html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:24px 0 0"><tr><td class="well" align="center" style="background:#e0f0ed;border-radius:12px;padding:16px;color:#11211e">
<span style="font-size:13px">${words.code}</span><br><span style="font-size:32px;line-height:44px;font-weight:700;letter-spacing:8px;font-family:ui-monospace,Menlo,Consolas,monospace">${code}</span></td></tr></table>`;
  const page = html`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${subject}</title>${darkStyles}</head>
<body class="page" style="margin:0;background:#f6f8f5;${trustedHtml(font)};color:#11211e">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f6f8f5"><tr><td align="center" style="padding:40px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px">
<tr><td class="brand" style="padding:0 4px 16px;font-family:Georgia,serif;font-style:italic;font-size:24px;color:#0a6560">Tributary</td></tr>
<tr><td class="card" style="background:#ffffff;border:1px solid #dbe2dd;border-radius:16px;padding:32px">
<h1 class="ink" style="margin:0 0 12px;font-size:24px;line-height:32px;font-weight:600;color:#11211e">${heading}</h1>
<p class="ink2" style="margin:0 0 24px;font-size:16px;line-height:24px;color:#44554f">${intro}</p>
${button}${well}</td></tr>
<tr><td style="padding:20px 4px">${notes.map((note) => html`<p class="ink2" style="margin:0 0 8px;font-size:13px;line-height:20px;color:#44554f">${note}</p>`)}</td></tr>
</table></td></tr></table></body></html>`;
  return page.html;
}
