// Informs an affiliate that a payout failed or was returned, and asks for a check of the payout details. It contains the amount,
// but not the account that the money was sent to.
import { findPortalUrl } from '../../../../accounts/programs/hosts/site-url.ts';
import type { Tx } from '../../../../context.ts';
import { type Editable, toPlaceholder, writeText } from '../../editing/text.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { type Frame, loadFrame, type Sender } from '../../look/look.ts';
import { unsubscribeLink } from '../../opt-out/link.ts';
import { queueEmail } from '../../send.ts';
import { formatPayoutAmount, type PayoutAmount } from './amount.ts';

type Failed = PayoutAmount & { firstName: string; detailsUrl: string };
type PayoutFailed = PayoutAmount & { programId: string; changeId: string; affiliateId: string };

const texts = {
  en: (name: string, firstName: string, amount: string) => ({
    subject: `Your payout from ${name} failed: update your details`,
    heading: `${firstName}, your payout didn’t arrive`,
    intro: `${name} sent you ${amount}, but the payment failed or came back. The money is still yours: it is part of your balance again.`,
    next: 'Check your payout details, and update them if anything has changed. You are paid with the next payout.',
    amount: 'Amount',
    button: 'Update your payout details',
    footer: `You received this email because you are an affiliate of ${name}.`,
  }),
  de: (name: string, firstName: string, amount: string) => ({
    subject: `Deine Auszahlung von ${name} ist fehlgeschlagen: Bitte prüfe deine Daten`,
    heading: `${firstName}, deine Auszahlung ist nicht angekommen`,
    intro: `${name} hat dir ${amount} gesendet, aber die Zahlung ist fehlgeschlagen oder kam zurück. Das Geld gehört weiterhin dir: Es ist wieder Teil deines Guthabens.`,
    next: 'Prüfe deine Auszahlungsdaten, und aktualisiere sie, falls sich etwas geändert hat. Du wirst mit der nächsten Auszahlung bezahlt.',
    amount: 'Betrag',
    button: 'Auszahlungsdaten aktualisieren',
    footer: `Du erhältst diese E-Mail, weil du Affiliate von ${name} bist.`,
  }),
};

/** The text of the email that programs can edit. */
export const payoutFailedText: Editable = {
  placeholders: ['program', 'firstName', 'amount'],
  toDefault(locale) {
    const words = texts[locale](toPlaceholder('program'), toPlaceholder('firstName'), toPlaceholder('amount'));
    return { subject: words.subject, heading: words.heading, body: `${words.intro}\n\n${words.next}` };
  },
};

/** Queues the email that follows from one payout that failed or was returned. */
export async function sendPayoutFailed(tx: Tx, { programId, changeId, affiliateId, ...amount }: PayoutFailed): Promise<void> {
  const affiliates = tx.db.selectFrom('affiliates').select(['email', 'firstName']).where('programId', '=', programId);
  const { email: to, firstName } = await affiliates.where('id', '=', affiliateId).executeTakeFirstOrThrow();
  const { frame, sender } = await loadFrame(tx, { programId, affiliateId, email: 'payout_failed' });
  const detailsUrl = `${await findPortalUrl(tx, programId)}/payout-details`;
  const content = renderPayoutFailed(frame, sender, { firstName, ...amount, detailsUrl });
  await queueEmail(tx, { programId, changeId, affiliateId, kind: 'payout_failed', to, content });
}

/** Renders the email. */
export function renderPayoutFailed(frame: Frame, { name }: Sender, failed: Failed): RenderedEmail {
  const { firstName, detailsUrl, ...payout } = failed;
  const { amount, explained } = formatPayoutAmount(payout, frame.locale);
  const words = texts[frame.locale](name, firstName, amount);
  const { subject, heading, paragraphs } = writeText(frame, payoutFailedText, { program: name, firstName, amount });
  return renderEmail(frame, {
    subject,
    heading,
    paragraphs,
    fact: { label: words.amount, value: explained },
    button: { label: words.button, url: detailsUrl },
    footer: words.footer,
    unsubscribeUrl: unsubscribeLink,
  });
}
