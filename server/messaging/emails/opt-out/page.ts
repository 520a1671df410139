// The page of an unsubscribe link, a pure function of what it shows.
import { renderPage } from '../../../accounts/identity/sign-in/pages/layout.ts';
import { textsForHeader } from '../../../accounts/identity/sign-in/pages/texts.ts';
import { html } from '../../../platform/lib/html.ts';
import type { Locale } from '../look/look.ts';

const texts = {
  en: {
    question: 'Unsubscribe?',
    intro: (name: string) => `Stop invitations and news about your page from ${name} to this address.`,
    always: 'You’ll still get emails about your account, your payouts and their security.',
    unsubscribe: 'Unsubscribe',
    doneTitle: 'You’re unsubscribed',
    done: (name: string) => `${name} no longer sends invitations and news about your page to this address.`,
    undo: 'Subscribe again',
    subscribedTitle: 'You’re subscribed',
    subscribed: (name: string) => `${name} sends invitations and news about your page to this address again.`,
    unknownTitle: 'This link doesn’t work',
    unknown: 'It is incomplete, or too old. Open the link of a newer email, or change the setting in your account.',
    portal: 'Open your account',
  },
  de: {
    question: 'Abbestellen?',
    intro: (name: string) => `Keine Einladungen und Neuigkeiten zu deiner Seite von ${name} mehr an diese Adresse.`,
    always: 'E-Mails zu deinem Konto, deinen Auszahlungen und deren Sicherheit erhältst du weiterhin.',
    unsubscribe: 'Abbestellen',
    doneTitle: 'Abbestellt',
    done: (name: string) => `${name} sendet keine Einladungen und Neuigkeiten zu deiner Seite mehr an diese Adresse.`,
    undo: 'Wieder bestellen',
    subscribedTitle: 'Wieder bestellt',
    subscribed: (name: string) => `${name} sendet wieder Einladungen und Neuigkeiten zu deiner Seite an diese Adresse.`,
    unknownTitle: 'Dieser Link funktioniert nicht',
    unknown: 'Er ist unvollständig oder zu alt. Öffne den Link einer neueren E-Mail, oder ändere die Einstellung in deinem Konto.',
    portal: 'Zum Konto',
  },
};

type View = { name: string; address: string; state: 'question' | 'unsubscribed' | 'subscribed' };

/** The question, with a button, or what the button did. Null for a link that this service did not create. */
export function renderUnsubscribe(acceptLanguage: string | undefined, view: View | null): string {
  const pageTexts = textsForHeader(acceptLanguage);
  const locale: Locale = pageTexts.lang === 'de' ? 'de' : 'en';
  const words = texts[locale];
  if (!view) {
    const content = html`<p>${words.unknown}</p><a class="button" href="/portal">${words.portal}</a>`;
    return renderPage({ texts: pageTexts, title: words.unknownTitle, content });
  }
  const { name, address, state } = view;
  const say = { question: words.intro, unsubscribed: words.done, subscribed: words.subscribed }[state];
  const title = { question: words.question, unsubscribed: words.doneTitle, subscribed: words.subscribedTitle }[state];
  const [action, label] = state === 'unsubscribed' ? ['subscribe', words.undo] : ['unsubscribe', words.unsubscribe];
  // The form is sent to the address of the page itself.
  const form = html`<form method="post"><input type="hidden" name="action" value="${action}"><button>${label}</button></form>`;
  const content = html`<div class="who"><strong>${address}</strong></div><p>${say(name)}</p>${state === 'subscribed' ? null : form}
<p class="small">${words.always}</p>`;
  return renderPage({ texts: pageTexts, title, content });
}
