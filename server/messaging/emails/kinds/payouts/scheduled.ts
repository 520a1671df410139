// To the members who approve payouts: what the payout schedule did on a payday, or why it could not.
import { formatCents } from '../../../../platform/lib/currency.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { type Frame, type Locale, serviceLook } from '../../look/look.ts';

type Batch = { totalCents: number; payoutCount: number };
/** `to_pay`: the batch needs no approval, and is paid manually or from a file. */
export type ScheduledEvent =
  | ({ event: 'awaiting_approval' | 'sent' | 'to_pay' } & Batch)
  | { event: 'skipped' }
  | { event: 'blocked'; reason: 'payouts_locked' | 'provider_unavailable' | 'import_unfinished' };

/** `payOn`: the payday, `YYYY-MM-DD`. */
type Facts = { event: ScheduledEvent; payOn: string; url: string };
type Words = { subject: string; text: string; button: string };

const texts = {
  en: {
    affiliates: (count: number) => (count === 1 ? '1 affiliate' : `${count} affiliates`),
    awaiting_approval: (amount: string, payees: string, day: string): Words => ({
      subject: `A payout of ${amount} awaits approval`,
      text: `The payout schedule prepared the batch of ${day}: ${amount} to ${payees}. Nothing is sent until the batch is approved.`,
      button: 'Review the batch',
    }),
    sent: (amount: string, payees: string, day: string): Words => ({
      subject: `Payouts of ${amount} are being sent`,
      text: `The payout schedule prepared the batch of ${day}: ${amount} to ${payees}. The amount is within the limit for scheduled payouts, so the batch needs no approval.`,
      button: 'Open the batch',
    }),
    to_pay: (amount: string, payees: string, day: string): Words => ({
      subject: `Payouts of ${amount} are ready to be paid`,
      text: `The payout schedule prepared the batch of ${day}: ${amount} to ${payees}. Pay it, then mark the batch as paid.`,
      button: 'Open the batch',
    }),
    skipped: (day: string): Words => ({
      subject: 'The scheduled payouts were skipped',
      text: `The payouts of ${day} were skipped: the database was restored from a backup, and they may have been sent before. Reconcile the payouts, then check what is due and dispatch it.`,
      button: 'Open payouts',
    }),
    blocked: (day: string): Words => ({
      subject: 'The scheduled payouts could not be prepared',
      text: `The payouts of ${day} could not be prepared. They will be as soon as the cause is resolved.`,
      button: 'Open payouts',
    }),
    reasons: {
      payouts_locked: 'Payouts are locked until they are reconciled.',
      provider_unavailable: 'The default payout provider is disabled or can’t pay in the currency of the program.',
      import_unfinished: 'An import of the history of another system has not finished.',
    },
    footer: (name: string) => `You received this email because you approve payouts of the affiliate program of ${name}.`,
  },
  de: {
    affiliates: (count: number) => (count === 1 ? '1 Affiliate' : `${count} Affiliates`),
    awaiting_approval: (amount: string, payees: string, day: string): Words => ({
      subject: `Auszahlung über ${amount} wartet auf Freigabe`,
      text: `Der Auszahlungsplan hat die Sammelauszahlung vom ${day} vorbereitet: ${amount} an ${payees}. Bis zur Freigabe wird nichts gesendet.`,
      button: 'Auszahlung prüfen',
    }),
    sent: (amount: string, payees: string, day: string): Words => ({
      subject: `Auszahlungen über ${amount} werden gesendet`,
      text: `Der Auszahlungsplan hat die Sammelauszahlung vom ${day} vorbereitet: ${amount} an ${payees}. Der Betrag liegt innerhalb der Grenze für geplante Auszahlungen, eine Freigabe ist nicht nötig.`,
      button: 'Auszahlung öffnen',
    }),
    to_pay: (amount: string, payees: string, day: string): Words => ({
      subject: `Auszahlungen über ${amount} können bezahlt werden`,
      text: `Der Auszahlungsplan hat die Sammelauszahlung vom ${day} vorbereitet: ${amount} an ${payees}. Bezahlen und danach als bezahlt markieren.`,
      button: 'Auszahlung öffnen',
    }),
    skipped: (day: string): Words => ({
      subject: 'Die geplanten Auszahlungen wurden übersprungen',
      text: `Die Auszahlungen vom ${day} wurden übersprungen: Die Datenbank wurde aus einer Sicherung wiederhergestellt, und sie könnten bereits gesendet worden sein. Erst die Auszahlungen abgleichen, dann Fälliges prüfen und auszahlen.`,
      button: 'Auszahlungen öffnen',
    }),
    blocked: (day: string): Words => ({
      subject: 'Die geplanten Auszahlungen konnten nicht vorbereitet werden',
      text: `Die Auszahlungen vom ${day} konnten nicht vorbereitet werden. Das geschieht, sobald die Ursache behoben ist.`,
      button: 'Auszahlungen öffnen',
    }),
    reasons: {
      payouts_locked: 'Auszahlungen sind gesperrt, bis sie abgeglichen wurden.',
      provider_unavailable: 'Der Standard-Zahlungsanbieter ist deaktiviert oder zahlt nicht in der Währung des Programms.',
      import_unfinished: 'Ein Import aus einem anderen System ist nicht abgeschlossen.',
    },
    footer: (name: string) => `Diese E-Mail geht an alle, die Auszahlungen des Affiliate-Programms von ${name} freigeben.`,
  },
} satisfies Record<Locale, unknown>;

/** The email about a run of the payout schedule. */
export function renderScheduledPayouts(
  { locale }: Pick<Frame, 'locale'>,
  { name, currency }: { name: string; currency: string },
  { event, payOn, url }: Facts,
): RenderedEmail {
  const words = texts[locale];
  const { subject, text, button } = describe(event, { currency, locale, day: formatDay(payOn, locale) });
  return renderEmail(
    { look: serviceLook, locale },
    {
      subject: `${name}: ${subject}`,
      heading: subject,
      paragraphs: event.event === 'blocked' ? [text, words.reasons[event.reason]] : [text],
      button: { label: button, url },
      footer: words.footer(name),
    },
  );
}

function describe(event: ScheduledEvent, { currency, locale, day }: { currency: string; locale: Locale; day: string }): Words {
  const words = texts[locale];
  if (event.event === 'skipped' || event.event === 'blocked') return words[event.event](day);
  const amount = formatCents(event.totalCents, currency, { language: locale });
  return words[event.event](amount, words.affiliates(event.payoutCount), day);
}

function formatDay(day: string, locale: Locale): string {
  const format = new Intl.DateTimeFormat(locale === 'de' ? 'de-DE' : 'en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(`${day}T00:00:00Z`));
}
