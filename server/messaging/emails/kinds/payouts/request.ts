// Asks an affiliate for what is missing before a payout: payout details or a tax form.
import { findPortalUrl } from '../../../../accounts/programs/hosts/site-url.ts';
import type { Tx } from '../../../../context.ts';
import { formatCents } from '../../../../platform/lib/currency.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { type Frame, loadFrame, type Sender } from '../../look/look.ts';
import { queueEmail } from '../../send.ts';

export type MissingForPayout = 'payout_details' | 'tax_form';
type Asked = { firstName: string; missing: MissingForPayout; amountCents: number; currency: string; accountUrl: string };
type Request = Pick<Asked, 'missing' | 'amountCents' | 'currency'> & {
  programId: string;
  changeId: string;
  affiliate: { id: string; email: string; firstName: string };
};

const texts = {
  en: (name: string, firstName: string) => ({
    payout_details: {
      subject: `${name}: add your payout details`,
      heading: `${firstName}, where should we send your money?`,
      intro: `${name} can’t pay you yet, because you haven’t added payout details. Add them, and you are paid with the next payout.`,
    },
    tax_form: {
      subject: `${name}: submit your tax form`,
      heading: `${firstName}, one form is missing`,
      intro: `${name} can’t pay you yet, because it needs a tax form from you. Submit it, and you are paid with the next payout.`,
    },
    amount: 'Ready to be paid',
    button: 'Open your account',
    footer: `You received this email because you are an affiliate of ${name} with an amount that can’t be paid yet.`,
  }),
  de: (name: string, firstName: string) => ({
    payout_details: {
      subject: `${name}: Auszahlungsdaten hinterlegen`,
      heading: `${firstName}, wohin dürfen wir dein Geld senden?`,
      intro: `${name} kann dich noch nicht bezahlen, weil deine Auszahlungsdaten fehlen. Hinterlege sie, und du wirst mit der nächsten Auszahlung bezahlt.`,
    },
    tax_form: {
      subject: `${name}: Steuerformular einreichen`,
      heading: `${firstName}, ein Formular fehlt noch`,
      intro: `${name} kann dich noch nicht bezahlen, weil dein Steuerformular fehlt. Reiche es ein, und du wirst mit der nächsten Auszahlung bezahlt.`,
    },
    amount: 'Auszahlbarer Betrag',
    button: 'Konto öffnen',
    footer: `Du erhältst diese E-Mail, weil du Affiliate von ${name} bist und ein Betrag noch nicht ausgezahlt werden kann.`,
  }),
};

/** Queues the email that follows from one request. */
export async function sendPayoutRequest(tx: Tx, { programId, changeId, affiliate, ...asked }: Request): Promise<void> {
  const { missing, amountCents, currency } = asked;
  const { id: affiliateId, email: to, firstName } = affiliate;
  const { frame, sender } = await loadFrame(tx, { programId, affiliateId });
  const screen = missing === 'payout_details' ? 'payout-details' : 'tax-form';
  const accountUrl = `${await findPortalUrl(tx, programId)}/${screen}`;
  const content = renderPayoutRequest(frame, sender, { firstName, missing, amountCents, currency, accountUrl });
  await queueEmail(tx, { programId, changeId, affiliateId, kind: 'payout_request', to, content });
}

/** Renders the email. */
export function renderPayoutRequest(frame: Frame, { name }: Sender, asked: Asked): RenderedEmail {
  const words = texts[frame.locale](name, asked.firstName);
  const { subject, heading, intro } = words[asked.missing];
  const amount = formatCents(asked.amountCents, asked.currency, { language: frame.locale });
  return renderEmail(frame, {
    subject,
    heading,
    paragraphs: [intro],
    fact: { label: words.amount, value: amount },
    button: { label: words.button, url: asked.accountUrl },
    footer: words.footer,
  });
}
