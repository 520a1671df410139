// Informs an affiliate of an invoice that was issued for one of their payouts, or of its cancellation. The document is downloaded
// in the portal, because it has tax numbers.
import { findPortalUrl } from '../../../../accounts/programs/hosts/site-url.ts';
import type { Tx } from '../../../../context.ts';
import { formatCents } from '../../../../platform/lib/currency.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { type Frame, loadFrame, type Sender } from '../../look/look.ts';
import { queueEmail } from '../../send.ts';

/** `cancelsNumber`: the number of the invoice that a cancellation cancels; null for an invoice. The amounts are those of the document. */
type Invoiced = { number: string; cancelsNumber: string | null; vatCents: number; amountCents: number; currency: string };
type Written = Invoiced & { firstName: string; invoicesUrl: string };
type InvoiceIssued = Invoiced & { programId: string; changeId: string; affiliateId: string };

const texts = {
  en: (name: string, firstName: string, number: string, cancelled: string | null) => ({
    subject: cancelled === null ? `Invoice ${number} from ${name}` : `Invoice ${cancelled} was cancelled`,
    heading: cancelled === null ? `A new invoice, ${firstName}` : `A cancelled invoice, ${firstName}`,
    intro:
      cancelled === null
        ? `${name} paid you and issued the invoice on your behalf, as you agreed.`
        : `The payment came back to ${name}, so invoice ${cancelled} is cancelled by ${number}.`,
    next:
      cancelled === null
        ? `Please check it. If something is wrong, such as your address or tax number, contact ${name}.`
        : 'When the amount is paid again, you receive a new invoice.',
    net: 'Net',
    vat: 'VAT',
    total: 'Total',
    button: 'Open your invoices',
    footer: `You received this email because you agreed to invoices from ${name}.`,
  }),
  de: (name: string, firstName: string, number: string, cancelled: string | null) => ({
    subject: cancelled === null ? `Gutschrift ${number} von ${name}` : `Gutschrift ${cancelled} wurde storniert`,
    heading: cancelled === null ? `Eine neue Gutschrift, ${firstName}` : `Eine stornierte Gutschrift, ${firstName}`,
    intro:
      cancelled === null
        ? `${name} hat dir eine Auszahlung überwiesen und dafür in deinem Namen eine Gutschrift ausgestellt, wie vereinbart.`
        : `Die Zahlung kam zu ${name} zurück. Deshalb ist die Gutschrift ${cancelled} mit ${number} storniert.`,
    next:
      cancelled === null
        ? `Bitte prüfe sie. Wenn etwas nicht stimmt, etwa deine Anschrift oder Steuernummer, wende dich an ${name}.`
        : 'Sobald der Betrag erneut ausgezahlt ist, bekommst du eine neue Gutschrift.',
    net: 'Netto',
    vat: 'Umsatzsteuer',
    total: 'Gesamt',
    button: 'Gutschriften öffnen',
    footer: `Du erhältst diese E-Mail, weil du Gutschriften von ${name} zugestimmt hast.`,
  }),
};

/** Queues the email about an invoice or a cancellation. */
export async function sendInvoiceIssued(tx: Tx, { programId, changeId, affiliateId, ...invoice }: InvoiceIssued): Promise<void> {
  const affiliates = tx.db.selectFrom('affiliates').select(['email', 'firstName']).where('programId', '=', programId);
  const { email: to, firstName } = await affiliates.where('id', '=', affiliateId).executeTakeFirstOrThrow();
  const { frame, sender } = await loadFrame(tx, { programId, affiliateId });
  const invoicesUrl = `${await findPortalUrl(tx, programId)}/invoices`;
  const content = renderInvoiceIssued(frame, sender, { ...invoice, firstName, invoicesUrl });
  await queueEmail(tx, { programId, changeId, affiliateId, kind: 'invoice', to, content });
}

/** Renders the email. */
export function renderInvoiceIssued(frame: Frame, { name }: Sender, invoice: Written): RenderedEmail {
  const { firstName, number, cancelsNumber, vatCents, amountCents, currency, invoicesUrl } = invoice;
  const words = texts[frame.locale](name, firstName, number, cancelsNumber);
  const format = (cents: number) => formatCents(cents, currency, { language: frame.locale });
  return renderEmail(frame, {
    subject: words.subject,
    heading: words.heading,
    paragraphs: [words.intro, words.next],
    sums: [
      { label: words.net, value: format(amountCents - vatCents) },
      { label: words.vat, value: format(vatCents) },
      { label: words.total, value: format(amountCents) },
    ],
    button: { label: words.button, url: invoicesUrl },
    footer: words.footer,
  });
}
