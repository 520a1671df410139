// Informs an affiliate that a commission rule changes what they earn: the commission before and after, and from when.
import type { Tx } from '../../../../context.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import type { Frame, Locale, Sender } from '../../look/look.ts';
import { queueEmail } from '../../send.ts';
import { type EmailedRate, formatRate } from './rate-text.ts';

/** A commission that changes: of a product, of a category, of leads, or else of any order. `level` 2: earned as an upline. */
export type EmailedChange = {
  item: { kind: 'any' | 'lead' } | { kind: 'product' | 'category'; name: string };
  level: 1 | 2;
  before: EmailedRate | null;
  after: EmailedRate | null;
};

export type RateChanged = {
  changes: readonly EmailedChange[];
  /** When it applies; null: from now on. */
  startsAt: Date | null;
  endsAt: Date | null;
  currency: string;
  timezone: string;
  /** Where affiliates see what they earn. */
  ratesUrl: string;
};

type Recipient = { id: string; email: string; firstName: string };

const texts = {
  en: (name: string, firstName: string) => ({
    subject: `Your commission at ${name} changes`,
    heading: `Your commission changes, ${firstName}`,
    now: `${name} changed its commission rules. From now on:`,
    later: (day: string) => `${name} changed its commission rules. From ${day}:`,
    until: (day: string) => `This applies until ${day}.`,
    any: 'Commission',
    product: (of: string) => `Commission for ${of}`,
    category: (of: string) => `Commission for the category ${of}`,
    lead: 'Commission for leads',
    recruited: (label: string) => `${label}, from affiliates you recruited`,
    earned: 'Commissions that you have already earned stay as they are.',
    button: 'Open your rates',
    footer: `You received this email because you are an affiliate of ${name}.`,
  }),
  de: (name: string, firstName: string) => ({
    subject: `Deine Provision bei ${name} ändert sich`,
    heading: `Deine Provision ändert sich, ${firstName}`,
    now: `${name} hat seine Provisionsregeln geändert. Ab jetzt gilt:`,
    later: (day: string) => `${name} hat seine Provisionsregeln geändert. Ab ${day} gilt:`,
    until: (day: string) => `Das gilt bis ${day}.`,
    any: 'Provision',
    product: (of: string) => `Provision für ${of}`,
    category: (of: string) => `Provision für die Kategorie ${of}`,
    lead: 'Provision für Leads',
    recruited: (label: string) => `${label} der Affiliates, die du geworben hast`,
    earned: 'Provisionen, die du schon verdient hast, bleiben, wie sie sind.',
    button: 'Konditionen öffnen',
    footer: `Du erhältst diese E-Mail, weil du Affiliate von ${name} bist.`,
  }),
};

type Words = ReturnType<(typeof texts)[Locale]>;

/** Queues the email about a change of rules. `frame`: of the affiliate. */
export async function sendRateChanged(
  tx: Tx,
  { frame, sender }: { frame: Frame; sender: Sender },
  { programId, changeId, affiliate, changed }: { programId: string; changeId: string; affiliate: Recipient; changed: RateChanged },
): Promise<void> {
  const { id: affiliateId, email: to, firstName } = affiliate;
  const content = renderRateChanged(frame, sender, { ...changed, firstName });
  await queueEmail(tx, { programId, changeId, affiliateId, kind: 'rate_changed', to, content });
}

export function renderRateChanged(
  frame: Frame,
  { name }: Sender,
  { changes, startsAt, endsAt, currency, timezone, firstName, ratesUrl }: RateChanged & { firstName: string },
): RenderedEmail {
  const language = frame.locale;
  const words = texts[language](name, firstName);
  const format = (rate: EmailedRate | null) => formatRate(rate, { currency, language });
  const toDay = (at: Date) => formatDay(at, { language, timezone });
  return renderEmail(frame, {
    subject: words.subject,
    heading: words.heading,
    paragraphs: [
      startsAt === null ? words.now : words.later(toDay(startsAt)),
      ...changes.map(({ item, level, before, after }) => `${toLabel(item, level, words)}: ${format(before)} → ${format(after)}`),
      ...(endsAt === null ? [] : [words.until(toDay(endsAt))]),
      words.earned,
    ],
    button: { label: words.button, url: ratesUrl },
    footer: words.footer,
  });
}

function toLabel(item: EmailedChange['item'], level: 1 | 2, words: Words): string {
  const label = 'name' in item ? words[item.kind](item.name) : words[item.kind];
  return level === 2 ? words.recruited(label) : label;
}

/** "1 March 2026" in the program's time zone, with the time unless it is midnight. */
function formatDay(at: Date, { language, timezone: timeZone }: { language: Locale; timezone: string }): string {
  const tag = language === 'de' ? 'de-DE' : 'en-GB';
  const time = at.toLocaleTimeString('en-GB', { timeZone });
  return at.toLocaleString(
    tag,
    time === '00:00:00' ? { dateStyle: 'long', timeZone } : { dateStyle: 'long', timeStyle: 'short', timeZone },
  );
}
