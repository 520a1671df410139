// Informs an affiliate that a payout was paid. It contains the amount, but not the account that the money went to.
import { findPortalUrl } from '../../../../accounts/programs/hosts/site-url.ts';
import type { Tx } from '../../../../context.ts';
import { type Editable, toPlaceholder, writeText } from '../../editing/text.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { type Frame, loadFrame, type Sender } from '../../look/look.ts';
import { unsubscribeLink } from '../../opt-out/link.ts';
import { queueEmail } from '../../send.ts';
import { formatPayoutAmount, type PayoutAmount } from './amount.ts';

type Paid = PayoutAmount & { firstName: string; payoutsUrl: string };
type PayoutPaid = PayoutAmount & { programId: string; changeId: string; affiliateId: string };

const texts = {
  en: (name: string, firstName: string, amount: string) => ({
    subject: `${name} paid you ${amount}`,
    heading: `You were paid, ${firstName}`,
    intro: `${name} paid your commissions. Depending on your payout method, it can take a few days until the money arrives.`,
    amount: 'Amount',
    button: 'Open your payouts',
    footer: `You received this email because you are an affiliate of ${name}.`,
  }),
  de: (name: string, firstName: string, amount: string) => ({
    subject: `${name} hat dir ${amount} ausgezahlt`,
    heading: `Du hast eine Auszahlung erhalten, ${firstName}`,
    intro: `${name} hat deine Provisionen ausgezahlt. Je nach Auszahlungsart kann es einige Tage dauern, bis das Geld ankommt.`,
    amount: 'Betrag',
    button: 'Auszahlungen öffnen',
    footer: `Du erhältst diese E-Mail, weil du Affiliate von ${name} bist.`,
  }),
};

/** The text of the email that programs can edit. */
export const payoutPaidText: Editable = {
  placeholders: ['program', 'firstName', 'amount'],
  toDefault(locale) {
    const words = texts[locale](toPlaceholder('program'), toPlaceholder('firstName'), toPlaceholder('amount'));
    return { subject: words.subject, heading: words.heading, body: words.intro };
  },
};

/** Queues the email that follows from one payout becoming paid. */
export async function sendPayoutPaid(tx: Tx, { programId, changeId, affiliateId, ...amount }: PayoutPaid): Promise<void> {
  const affiliates = tx.db.selectFrom('affiliates').select(['email', 'firstName']).where('programId', '=', programId);
  const { email: to, firstName } = await affiliates.where('id', '=', affiliateId).executeTakeFirstOrThrow();
  const { frame, sender } = await loadFrame(tx, { programId, affiliateId, email: 'payout_paid' });
  const payoutsUrl = `${await findPortalUrl(tx, programId)}/payouts`;
  const content = renderPayoutPaid(frame, sender, { firstName, ...amount, payoutsUrl });
  await queueEmail(tx, { programId, changeId, affiliateId, kind: 'payout_paid', to, content });
}

export function renderPayoutPaid(frame: Frame, { name }: Sender, { firstName, payoutsUrl, ...payout }: Paid): RenderedEmail {
  const { amount, explained } = formatPayoutAmount(payout, frame.locale);
  const words = texts[frame.locale](name, firstName, amount);
  const { subject, heading, paragraphs } = writeText(frame, payoutPaidText, { program: name, firstName, amount });
  return renderEmail(frame, {
    subject,
    heading,
    paragraphs,
    fact: { label: words.amount, value: explained },
    button: { label: words.button, url: payoutsUrl },
    footer: words.footer,
    unsubscribeUrl: unsubscribeLink,
  });
}
