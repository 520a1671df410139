// To a member: what happened in a program that they want to be notified of, at once or once a day.
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { type Locale, serviceLook } from '../../look/look.ts';

export const notifiedKinds = ['application', 'page', 'content', 'fraud_alert', 'payout_failed', 'payout_problem', 'connection'] as const;
type Kind = (typeof notifiedKinds)[number];

/** `name`: of the affiliate or the connection; null if none is known. */
export type NotifiedItem = { kind: Kind; name: string | null };

type Notified = { items: readonly NotifiedItem[]; isDaily: boolean; url: string; settingsUrl: string };

const maxItems = 20;

const texts = {
  en: {
    one: {
      application: 'New application',
      page: 'Page to review',
      content: 'Content to review',
      fraud_alert: 'Fraud alert',
      payout_failed: 'A payout failed',
      payout_problem: 'A problem with payouts',
      connection: 'A connection stopped working',
    },
    many: (count: number) => `${count} things need your attention`,
    daily: 'Your daily summary',
    more: (count: number) => `and ${count} more`,
    button: 'Open the console',
    footer: (program: string, url: string) =>
      `You received this email because of your notifications for the affiliate program of ${program}. Change them: ${url}`,
  },
  de: {
    one: {
      application: 'Neue Bewerbung',
      page: 'Seite zu prüfen',
      content: 'Inhalt zu prüfen',
      fraud_alert: 'Betrugshinweis',
      payout_failed: 'Eine Auszahlung ist fehlgeschlagen',
      payout_problem: 'Ein Problem mit Auszahlungen',
      connection: 'Eine Verbindung funktioniert nicht mehr',
    },
    many: (count: number) => `${count} Dinge brauchen deine Aufmerksamkeit`,
    daily: 'Deine tägliche Zusammenfassung',
    more: (count: number) => `und ${count} weitere`,
    button: 'Konsole öffnen',
    footer: (program: string, url: string) =>
      `Diese E-Mail folgt aus deinen Benachrichtigungen für das Affiliate-Programm von ${program}. Ändern: ${url}`,
  },
} satisfies Record<Locale, unknown>;

/** Renders the email. `items` must not be empty. */
export function renderNotifications(locale: Locale, program: string, { items, isDaily, url, settingsUrl }: Notified): RenderedEmail {
  const words = texts[locale];
  const lines = items.map(({ kind, name }) => (name === null ? words.one[kind] : `${words.one[kind]}: ${name}`));
  const title = lines.length === 1 ? (lines[0] ?? '') : words.many(lines.length);
  const shown = lines.slice(0, maxItems);
  const rest = lines.length - shown.length;
  return renderEmail(
    { look: serviceLook, locale },
    {
      subject: `${program}: ${title}`,
      heading: isDaily ? words.daily : title,
      paragraphs: rest > 0 ? [...shown, words.more(rest)] : shown,
      button: { label: words.button, url },
      footer: words.footer(program, settingsUrl),
    },
  );
}
