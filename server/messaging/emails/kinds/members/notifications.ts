// To a member: what happened in a program that they want to be notified of, at once or once a day.
import { formatCents } from '../../../../platform/lib/currency.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { type Locale, serviceLook } from '../../look/look.ts';

export const notifiedKinds = [
  'application',
  'page',
  'content',
  'fraud_alert',
  'large_order',
  'payout_approval',
  'payout_sent',
  'payout_batch_failed',
  'payout_failed',
  'payout_problem',
  'connection',
] as const;
type Kind = (typeof notifiedKinds)[number];

/** `name`: of the affiliate or the connection; null if none is known. `amount`: of the order or the batch. */
export type NotifiedItem = { kind: Kind; name: string | null; amount: { cents: number; currency: string } | null };

type Notified = { items: readonly NotifiedItem[]; isDaily: boolean; url: string; settingsUrl: string };

const maxItems = 20;

const texts = {
  en: {
    one: {
      application: 'New application',
      page: 'Page to review',
      content: 'Content to review',
      fraud_alert: 'Fraud alert',
      large_order: 'Large order',
      payout_approval: 'A payout batch awaits approval',
      payout_sent: 'A payout batch was sent',
      payout_batch_failed: 'Payouts of a batch failed',
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
      large_order: 'Große Bestellung',
      payout_approval: 'Eine Sammelauszahlung wartet auf Freigabe',
      payout_sent: 'Eine Sammelauszahlung wurde gesendet',
      payout_batch_failed: 'Auszahlungen einer Sammelauszahlung sind fehlgeschlagen',
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

/** One line about an item: what happened, the amount and the name. */
export function describeItem(locale: Locale, { kind, name, amount }: NotifiedItem): string {
  const facts = [amount && formatCents(amount.cents, amount.currency, { language: locale }), name].filter((fact) => fact !== null);
  return facts.length === 0 ? texts[locale].one[kind] : `${texts[locale].one[kind]}: ${facts.join(' · ')}`;
}

/** Renders the email. `items` must not be empty. */
export function renderNotifications(locale: Locale, program: string, { items, isDaily, url, settingsUrl }: Notified): RenderedEmail {
  const words = texts[locale];
  const lines = items.map((item) => describeItem(locale, item));
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
