// The receipt of a payout as a PDF: who paid whom, how much, when, and the reference of the payment.
import { buffer } from 'node:stream/consumers';
import { hasLetters, registerFonts, setFont, toPrintable, writeLine } from '../../../earning/statements/pdf-fonts.ts';
import type { Workers } from '../../../platform/lib/concurrency/workers.ts';
import { formatCents } from '../../../platform/lib/currency.ts';
import { localDate } from '../../../platform/lib/zoned-time.ts';
import type { Receipt } from './payout.ts';

const margin = 56;
const valueAt = 200;
const ink = '#1c2321';
const faint = '#6b7672';

type Input = { receipt: Receipt; createdAt: Date };

const states: Record<Receipt['state'], string> = {
  preparing: 'Being prepared',
  on_its_way: 'On its way',
  paid: 'Paid',
  failed: 'Failed',
  returned: 'Returned',
  cancelled: 'Cancelled',
};

/** Renders an A4 PDF in a worker thread. `createdAt` is stored in the file. */
export function renderReceipt(workers: Workers, receipt: Receipt, createdAt: Date): Promise<Uint8Array> {
  return workers.run(import.meta.url, receiptPdf, { receipt, createdAt });
}

/** Runs in a worker thread. */
export async function receiptPdf({ receipt, createdAt }: Input): Promise<Uint8Array> {
  const { programName, amountCents, currency } = receipt;
  // Imported only here: at the top, it would add a quarter of a second to every start.
  const { default: PDF } = await import('pdfkit');
  const info = { Title: 'Payout receipt', Author: programName, CreationDate: createdAt };
  const pdf = new PDF({ size: 'A4', margin, font: '', info });
  registerFonts(pdf);
  writeLine(setFont(pdf, 'regular', 10).fillColor(faint), programName, margin, pdf.y, 595 - 2 * margin);
  setFont(pdf, 'bold', 22).fillColor(ink).text('Payout receipt', margin, pdf.y).moveDown(0.5);
  const amount = formatCents(amountCents, currency);
  setFont(pdf, 'bold', 16);
  const printable = hasLetters(pdf, amount) ? amount : toPrintable(pdf, formatCents(amountCents, currency, { currencyDisplay: 'code' }));
  pdf.text(printable, margin, pdf.y).moveDown(1);
  for (const [name, value] of rowsOf(receipt)) {
    const y = pdf.y;
    setFont(pdf, 'regular', 11).fillColor(faint).text(name, margin, y, { lineBreak: false });
    writeLine(pdf.fillColor(ink), value, valueAt, y, 595 - valueAt - margin);
    pdf.y = y + 20;
  }
  pdf.end();
  return buffer(pdf);
}

function rowsOf(receipt: Receipt): [string, string][] {
  const { timezone, settledAt, createdAt, periodStartAt, periodEndAt, state, reference } = receipt;
  const day = (at: string) => localDate(new Date(at), timezone);
  return [
    ['Status', states[state]],
    ['Paid by', receipt.programName],
    ['Paid to', receipt.affiliateName],
    ['Date', day(settledAt ?? createdAt)],
    ['Period', `${day(periodStartAt)} to ${day(periodEndAt)}`],
    ['Commissions', String(receipt.commissions)],
    ['Reference', reference ?? 'None'],
    ['Payout', receipt.id],
  ];
}
