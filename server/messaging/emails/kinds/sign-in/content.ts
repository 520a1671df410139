// The sign-in email: a button, a code, and who asked for it.
import type { BrowserName } from '../../../../accounts/identity/sign-in/describe-browser.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { formatTime } from '../../look/format.ts';
import { type Locale, type Look, serviceLook } from '../../look/look.ts';

const texts = {
  en: {
    subject: (code: string | null, name: string) => (code === null ? `Sign in to ${name}` : `${code} is your sign-in code`),
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
    subject: (code: string | null, name: string) => (code === null ? `Bei ${name} anmelden` : `${code} ist der Anmeldecode`),
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

export type SignInEmail = {
  locale: string;
  /** Null for a confirmation, which happens in the console. */
  url: string | null;
  /** Null while too many wrong codes were entered. */
  code: string | null;
  requestedBy: BrowserName;
  requestedAt: Date;
  /** Of the program on whose custom domain it was requested; otherwise of the service. */
  look?: Look;
};

/** Renders the email in both forms. */
export function renderSignInEmail(email: SignInEmail): RenderedEmail {
  const locale: Locale = email.locale === 'de' ? 'de' : 'en';
  const words = texts[locale];
  const { url, code, look = serviceLook } = email;
  const name = look.of === 'program' ? look.name : 'Tributary';
  const isConfirmation = url === null;
  const origin = describeOrigin(email.requestedBy, locale);
  return renderEmail(
    { look, locale },
    {
      subject: isConfirmation ? words.confirmSubject(code ?? '') : words.subject(code, name),
      heading: isConfirmation ? words.confirmHeading : words.heading,
      paragraphs: [isConfirmation ? words.confirmIntro : code === null ? words.introWithoutCode : words.intro],
      button: isConfirmation ? null : { label: words.button, url },
      code: code === null ? null : { label: words.code, value: code },
      remarks: [words.expires, words.requested(origin, formatTime(email.requestedAt, locale))],
      footer: words.ignore,
    },
  );
}

function describeOrigin({ browser, system }: BrowserName, locale: Locale): string {
  const words = texts[locale];
  if (browser === null) return system ?? words.unknownBrowser;
  return system === null ? browser : `${browser} ${words.on} ${system}`;
}
