// The monthly statement of an affiliate: what was owed before, what was earned, deducted and paid, and what is owed now.
import { findPortalUrl } from '../../../../accounts/programs/hosts/site-url.ts';
import type { Tx } from '../../../../context.ts';
import { formatCents } from '../../../../platform/lib/currency.ts';
import { type Editable, toPlaceholder, writeText } from '../../editing/text.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { formatMonth } from '../../look/format.ts';
import { type Frame, loadFrame, type Sender } from '../../look/look.ts';
import { unsubscribeLink } from '../../opt-out/link.ts';
import { queueEmail } from '../../send.ts';

/** The sums of the statement; what was adjusted and paid is deducted. */
export type StatementSums = {
  /** Such as 2026-03. */
  month: string;
  currency: string;
  openingCents: number;
  earnedCents: number;
  adjustedCents: number;
  paidCents: number;
  closingCents: number;
};
type Stated = { firstName: string; sums: StatementSums; statementUrl: string };
type Statement = {
  programId: string;
  changeId: string;
  affiliate: { id: string; email: string; firstName: string };
  sums: StatementSums;
};

const texts = {
  en: (name: string, firstName: string, month: string) => ({
    subject: `${name}: your statement for ${month}`,
    heading: `Your ${month}, ${firstName}`,
    intro: `This is what you earned with ${name} in ${month}, and what you were paid.`,
    opening: 'Balance before',
    earned: 'Earned',
    adjusted: 'Refunds and adjustments',
    paid: 'Paid to you',
    closing: 'Balance',
    button: 'Open your statements',
    footer: `You received this email because you are an affiliate of ${name}.`,
  }),
  de: (name: string, firstName: string, month: string) => ({
    subject: `${name}: deine Abrechnung für ${month}`,
    heading: `Dein ${month}, ${firstName}`,
    intro: `Das hast du im ${month} bei ${name} verdient, und das wurde dir ausgezahlt.`,
    opening: 'Guthaben davor',
    earned: 'Verdient',
    adjusted: 'Erstattungen und Anpassungen',
    paid: 'An dich ausgezahlt',
    closing: 'Guthaben',
    button: 'Abrechnungen öffnen',
    footer: `Du erhältst diese E-Mail, weil du Affiliate von ${name} bist.`,
  }),
};

/** The text of the email that programs can edit. */
export const statementText: Editable = {
  placeholders: ['program', 'firstName', 'month', 'earned', 'balance'],
  toDefault(locale) {
    const words = texts[locale](toPlaceholder('program'), toPlaceholder('firstName'), toPlaceholder('month'));
    return { subject: words.subject, heading: words.heading, body: words.intro };
  },
};

/** Queues the statement of a month. A second one of the same run violates emails_statement_once. */
export async function sendStatement(tx: Tx, { programId, changeId, affiliate, sums }: Statement): Promise<void> {
  const { id: affiliateId, email: to, firstName } = affiliate;
  const { frame, sender } = await loadFrame(tx, { programId, affiliateId, email: 'statement' });
  const statementUrl = `${await findPortalUrl(tx, programId)}/payouts`;
  const content = renderStatement(frame, sender, { firstName, sums, statementUrl });
  await queueEmail(tx, { programId, changeId, affiliateId, kind: 'statement', to, content });
}

/** Renders the email. Sums that are zero are left out, except for what was earned and the balance. */
export function renderStatement(frame: Frame, { name }: Sender, { firstName, sums, statementUrl }: Stated): RenderedEmail {
  const { locale } = frame;
  const month = formatMonth(sums.month, locale);
  const words = texts[locale](name, firstName, month);
  const format = (cents: number) => formatCents(cents, sums.currency, { language: locale });
  const values = { program: name, firstName, month, earned: format(sums.earnedCents), balance: format(sums.closingCents) };
  const { subject, heading, paragraphs } = writeText(frame, statementText, values);
  const rows = [
    { label: words.opening, cents: sums.openingCents, isShown: sums.openingCents !== 0 },
    { label: words.earned, cents: sums.earnedCents, isShown: true },
    { label: words.adjusted, cents: 0 - sums.adjustedCents, isShown: sums.adjustedCents !== 0 },
    { label: words.paid, cents: 0 - sums.paidCents, isShown: sums.paidCents !== 0 },
    { label: words.closing, cents: sums.closingCents, isShown: true },
  ];
  return renderEmail(frame, {
    subject,
    heading,
    paragraphs,
    sums: rows.filter(({ isShown }) => isShown).map(({ label, cents }) => ({ label, value: format(cents) })),
    button: { label: words.button, url: statementUrl },
    footer: words.footer,
    unsubscribeUrl: unsubscribeLink,
  });
}
