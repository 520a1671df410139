// The page of the link "This wasn't me", a pure function of what it shows.
import { renderPage } from '../../../accounts/identity/sign-in/pages/layout.ts';
import { textsForHeader } from '../../../accounts/identity/sign-in/pages/texts.ts';
import { html } from '../../../platform/lib/html.ts';

const texts = {
  en: {
    question: 'You didn’t change your payout details?',
    intro: (name: string) =>
      `Payouts from ${name} will stop until its team has checked the change, and you’ll be signed out on all devices.`,
    button: 'This wasn’t me',
    doneTitle: 'Payouts are stopped',
    done: (name: string) =>
      `You’re signed out on all devices. The team of ${name} was alerted and decides what happens next. Your earnings stay in your account.`,
    next: 'Change the password of your email account now. Your payout details were not restored: sign in again to check them.',
    signIn: 'Sign in',
    unknownTitle: 'This link doesn’t work',
    unknown: 'It is incomplete, or older than 72 hours. Contact the program if you didn’t change your payout details.',
  },
  de: {
    question: 'Du hast deine Auszahlungsdaten nicht geändert?',
    intro: (name: string) =>
      `Auszahlungen von ${name} werden angehalten, bis das Team die Änderung geprüft hat, und du wirst auf allen Geräten abgemeldet.`,
    button: 'Das war ich nicht',
    doneTitle: 'Auszahlungen sind angehalten',
    done: (name: string) =>
      `Du bist auf allen Geräten abgemeldet. Das Team von ${name} wurde informiert und entscheidet, wie es weitergeht. Dein Guthaben bleibt erhalten.`,
    next: 'Ändere jetzt das Passwort deines E-Mail-Kontos. Deine Auszahlungsdaten wurden nicht zurückgesetzt: Melde dich neu an, um sie zu prüfen.',
    signIn: 'Anmelden',
    unknownTitle: 'Dieser Link funktioniert nicht',
    unknown:
      'Er ist unvollständig oder älter als 72 Stunden. Wende dich an das Programm, wenn du deine Auszahlungsdaten nicht geändert hast.',
  },
};

type View = { name: string; isDone: boolean };

/** The question, with a button, or what happens next. Null for a link that doesn't work. */
export function renderReport(acceptLanguage: string | undefined, view: View | null): string {
  const pageTexts = textsForHeader(acceptLanguage);
  const words = texts[pageTexts.lang === 'de' ? 'de' : 'en'];
  if (!view) return renderPage({ texts: pageTexts, title: words.unknownTitle, content: html`<p>${words.unknown}</p>` });
  if (view.isDone) {
    const content = html`<p>${words.done(view.name)}</p><p>${words.next}</p><a class="button" href="/sign-in">${words.signIn}</a>`;
    return renderPage({ texts: pageTexts, title: words.doneTitle, content });
  }
  // The form is sent to the address of the page itself.
  const content = html`<p>${words.intro(view.name)}</p><form method="post"><button>${words.button}</button></form>`;
  return renderPage({ texts: pageTexts, title: words.question, content });
}
