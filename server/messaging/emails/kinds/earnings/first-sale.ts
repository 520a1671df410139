// Informs an affiliate of the first order that was credited to them.
import { findPortalUrl } from '../../../../accounts/programs/hosts/site-url.ts';
import type { Tx } from '../../../../context.ts';
import { formatCents } from '../../../../platform/lib/currency.ts';
import { type Editable, toPlaceholder, writeText } from '../../editing/text.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { type Frame, loadFrame, type Sender } from '../../look/look.ts';
import { unsubscribeLink } from '../../opt-out/link.ts';
import { queueEmail } from '../../send.ts';

type Sold = { firstName: string; commissionCents: number; currency: string; earningsUrl: string };
type FirstSale = Pick<Sold, 'commissionCents' | 'currency'> & {
  programId: string;
  changeId: string;
  affiliate: { id: string; email: string; firstName: string };
};

const texts = {
  en: (name: string, firstName: string) => ({
    subject: `Your first sale for ${name}`,
    heading: `Your first sale, ${firstName}`,
    intro: `Congratulations: a customer of ${name} placed an order through you.`,
    next: 'Your earnings show what it brings you, and when that becomes payable.',
    amount: 'Your commission',
    button: 'Open your earnings',
    footer: `You received this email because you are an affiliate of ${name}.`,
  }),
  de: (name: string, firstName: string) => ({
    subject: `Dein erster Verkauf für ${name}`,
    heading: `Dein erster Verkauf, ${firstName}`,
    intro: `Glückwunsch: Über dich ging eine Bestellung bei ${name} ein.`,
    next: 'Bei deinen Einnahmen siehst du, was sie dir bringt und wann du es ausgezahlt bekommst.',
    amount: 'Deine Provision',
    button: 'Einnahmen öffnen',
    footer: `Du erhältst diese E-Mail, weil du Affiliate von ${name} bist.`,
  }),
};

/** The text of the email that programs can edit. */
export const firstSaleText: Editable = {
  placeholders: ['program', 'firstName', 'amount'],
  toDefault(locale) {
    const words = texts[locale](toPlaceholder('program'), toPlaceholder('firstName'));
    return { subject: words.subject, heading: words.heading, body: `${words.intro}\n\n${words.next}` };
  },
};

/** Queues the email about the first order of an affiliate. A second one violates emails_first_sale_once. */
export async function sendFirstSale(tx: Tx, { programId, changeId, affiliate, ...earned }: FirstSale): Promise<void> {
  const { id: affiliateId, email: to, firstName } = affiliate;
  const { frame, sender } = await loadFrame(tx, { programId, affiliateId, email: 'first_sale' });
  const { commissionCents, currency } = earned;
  const earningsUrl = `${await findPortalUrl(tx, programId)}/earnings`;
  const content = renderFirstSale(frame, sender, { firstName, commissionCents, currency, earningsUrl });
  await queueEmail(tx, { programId, changeId, affiliateId, kind: 'first_sale', to, content });
}

/** Renders the email. An order may earn nothing. */
export function renderFirstSale(frame: Frame, { name }: Sender, sold: Sold): RenderedEmail {
  const { firstName, commissionCents, currency, earningsUrl } = sold;
  const words = texts[frame.locale](name, firstName);
  const amount = formatCents(commissionCents, currency, { language: frame.locale });
  const { subject, heading, paragraphs } = writeText(frame, firstSaleText, { program: name, firstName, amount });
  return renderEmail(frame, {
    subject,
    heading,
    paragraphs,
    fact: commissionCents > 0 ? { label: words.amount, value: amount } : null,
    button: { label: words.button, url: earningsUrl },
    footer: words.footer,
    unsubscribeUrl: unsubscribeLink,
  });
}
