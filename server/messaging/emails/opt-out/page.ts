// The page of an unsubscribe link, a pure function of what it shows: one kind of email, or all choices.
import { renderPage } from '../../../accounts/identity/sign-in/pages/layout.ts';
import { textsForHeader } from '../../../accounts/identity/sign-in/pages/texts.ts';
import { type Html, html } from '../../../platform/lib/html.ts';
import { type OptionalKind, optionalKinds } from '../kinds/table.ts';
import type { Locale } from '../look/look.ts';

const texts = {
  en: {
    question: 'Unsubscribe?',
    intro: (what: string, name: string) => `Stop ${what} from ${name} to this address.`,
    always: 'You’ll still get emails about your account and its security.',
    unsubscribe: 'Unsubscribe',
    doneTitle: 'You’re unsubscribed',
    done: (what: string, name: string) => `${name} no longer sends ${what} to this address.`,
    undo: 'Subscribe again',
    subscribedTitle: 'You’re subscribed',
    subscribed: (what: string, name: string) => `${name} sends ${what} to this address again.`,
    choicesTitle: 'Choose your emails',
    choices: (name: string) => `Which emails ${name} sends to this address:`,
    toChoices: 'All email choices',
    save: 'Save',
    savedTitle: 'Your choices are saved',
    unknownTitle: 'This link doesn’t work',
    unknown: 'It is incomplete, or too old. Open the link of a newer email, or change the setting in your account.',
    portal: 'Open your account',
    all: 'optional emails',
    kinds: {
      invitation: 'invitations',
      page_review: 'news about your page',
      first_sale: 'emails about your first sale',
      payout_paid: 'news about your payouts',
      payout_failed: 'emails about payouts that failed',
      statement: 'monthly statements',
      announcement: 'announcements',
    },
    labels: {
      invitation: 'Invitations',
      page_review: 'News about your page',
      first_sale: 'First sale',
      payout_paid: 'Payouts that were paid',
      payout_failed: 'Payouts that failed',
      statement: 'Monthly statement',
      announcement: 'Announcements',
    },
  },
  de: {
    question: 'Abbestellen?',
    intro: (what: string, name: string) => `Keine ${what} von ${name} mehr an diese Adresse.`,
    always: 'E-Mails zu deinem Konto und dessen Sicherheit erhältst du weiterhin.',
    unsubscribe: 'Abbestellen',
    doneTitle: 'Abbestellt',
    done: (what: string, name: string) => `${name} sendet keine ${what} mehr an diese Adresse.`,
    undo: 'Wieder bestellen',
    subscribedTitle: 'Wieder bestellt',
    subscribed: (what: string, name: string) => `${name} sendet wieder ${what} an diese Adresse.`,
    choicesTitle: 'E-Mails auswählen',
    choices: (name: string) => `Diese E-Mails sendet ${name} an diese Adresse:`,
    toChoices: 'Alle E-Mail-Einstellungen',
    save: 'Speichern',
    savedTitle: 'Deine Auswahl ist gespeichert',
    unknownTitle: 'Dieser Link funktioniert nicht',
    unknown: 'Er ist unvollständig oder zu alt. Öffne den Link einer neueren E-Mail, oder ändere die Einstellung in deinem Konto.',
    portal: 'Zum Konto',
    all: 'optionalen E-Mails',
    kinds: {
      invitation: 'Einladungen',
      page_review: 'Neuigkeiten zu deiner Seite',
      first_sale: 'E-Mails zu deinem ersten Verkauf',
      payout_paid: 'Neuigkeiten zu deinen Auszahlungen',
      payout_failed: 'E-Mails zu fehlgeschlagenen Auszahlungen',
      statement: 'monatlichen Abrechnungen',
      announcement: 'Ankündigungen',
    },
    labels: {
      invitation: 'Einladungen',
      page_review: 'Neuigkeiten zu deiner Seite',
      first_sale: 'Erster Verkauf',
      payout_paid: 'Ausgezahlte Beträge',
      payout_failed: 'Fehlgeschlagene Auszahlungen',
      statement: 'Monatliche Abrechnung',
      announcement: 'Ankündigungen',
    },
  },
};

type Words = (typeof texts)[Locale];

export type State = 'question' | 'unsubscribed' | 'subscribed' | 'choices' | 'saved';

/** `kind` is the one that the email of the link was of; null for all. */
type View = { name: string; address: string; kind: OptionalKind | null; state: State; optedOutKinds: readonly OptionalKind[] };

/** The question, with a button, what the button did, or all choices. Null for a link that this service did not create. */
export function renderUnsubscribe(acceptLanguage: string | undefined, view: View | null): string {
  const pageTexts = textsForHeader(acceptLanguage);
  const words = texts[pageTexts.lang === 'de' ? 'de' : 'en'];
  if (!view) {
    const content = html`<p>${words.unknown}</p><a class="button" href="/portal">${words.portal}</a>`;
    return renderPage({ texts: pageTexts, title: words.unknownTitle, content });
  }
  const { address, state } = view;
  const { title, body } = state === 'choices' || state === 'saved' ? renderChoices(words, view, state) : renderOne(words, view, state);
  const content = html`<div class="who"><strong>${address}</strong></div>${body}<p class="small">${words.always}</p>`;
  return renderPage({ texts: pageTexts, title, content });
}

type Part = { title: string; body: Html };

// The forms are sent to the address of the page itself.
function renderOne(words: Words, { name, kind }: View, state: 'question' | 'unsubscribed' | 'subscribed'): Part {
  const what = kind ? words.kinds[kind] : words.all;
  const say = { question: words.intro, unsubscribed: words.done, subscribed: words.subscribed }[state];
  const title = { question: words.question, unsubscribed: words.doneTitle, subscribed: words.subscribedTitle }[state];
  const [action, label] = state === 'unsubscribed' ? ['subscribe', words.undo] : ['unsubscribe', words.unsubscribe];
  const form = html`<form method="post"><input type="hidden" name="action" value="${action}"><button>${label}</button></form>`;
  const body = html`<p>${say(what, name)}</p>${state === 'subscribed' ? null : form}<p class="small"><a href="?choices">${words.toChoices}</a></p>`;
  return { title, body };
}

function renderChoices(words: Words, { name, optedOutKinds }: View, state: 'choices' | 'saved'): Part {
  const boxes = optionalKinds.map((kind) => {
    const box = optedOutKinds.includes(kind)
      ? html`<input type="checkbox" name="kind" value="${kind}">`
      : html`<input type="checkbox" name="kind" value="${kind}" checked>`;
    return html`<label class="choice">${box} ${words.labels[kind]}</label>`;
  });
  const form = html`<form method="post"><input type="hidden" name="action" value="choose">${boxes}<button>${words.save}</button></form>`;
  return { title: state === 'saved' ? words.savedTitle : words.choicesTitle, body: html`<p>${words.choices(name)}</p>${form}` };
}
