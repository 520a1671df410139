// The receipt of a payout as a PDF, with a line per commission.
import { buffer } from 'node:stream/consumers';
import { type Pdf, printAmount, registerFonts, setFont, writeLine } from '../../../earning/statements/pdf-fonts.ts';
import { faint, ink, margin } from '../../../earning/statements/pdf-page.ts';
import type { Workers } from '../../../platform/lib/concurrency/workers.ts';
import { formatConversion } from '../../../platform/lib/currency.ts';
import { localDate } from '../../../platform/lib/zoned-time.ts';
import type { Receipt, ReceiptLanguage, ReceiptLine } from './receipt.ts';
import { describeLine, words } from './words.ts';

const right = 595 - margin;
const valueAt = 200;
const describedAt = margin + 70;
/** The last line that leaves room for the margin. */
const bottom = 842 - margin - 24;

type Input = { receipt: Receipt; language: ReceiptLanguage; createdAt: Date };

/** Renders an A4 PDF in a worker thread. `createdAt` is stored in the file. */
export function renderReceipt(workers: Workers, input: Input): Promise<Uint8Array> {
  return workers.run(import.meta.url, receiptPdf, input);
}

/** Runs in a worker thread. */
export async function receiptPdf({ receipt, language, createdAt }: Input): Promise<Uint8Array> {
  const { programName, amountCents, exchange, lines, rest } = receipt;
  const { title, others, total } = words[language];
  // Imported only here: at the top, it would add a quarter of a second to every start.
  const { default: PDF } = await import('pdfkit');
  const info = { Title: title, Author: programName, CreationDate: createdAt };
  const pdf = new PDF({ size: 'A4', margin, font: '', lang: language, info });
  registerFonts(pdf);
  writeLine(setFont(pdf, 'regular', 10).fillColor(faint), programName, margin, pdf.y, right - margin);
  setFont(pdf, 'bold', 22).fillColor(ink).text(title, margin, pdf.y).moveDown(0.5);
  setFont(pdf, 'bold', 16);
  const paid = exchange ?? receipt;
  pdf.text(printAmount(pdf, paid.amountCents, paid.currency, language), margin, pdf.y).moveDown(1);
  for (const [name, value] of rowsOf(receipt, language)) {
    const y = pdf.y;
    setFont(pdf, 'regular', 11).fillColor(faint).text(name, margin, y, { lineBreak: false });
    writeLine(pdf.fillColor(ink), value, valueAt, y, right - valueAt);
    pdf.y = y + 20;
  }
  pdf.moveDown(1);
  for (const line of lines) addLine(pdf, line, { receipt, language });
  if (rest.count > 0) addRow(pdf, { name: others(rest.count), cents: rest.amountCents }, { receipt, language });
  addRow(pdf, { name: total, cents: amountCents, isSum: true }, { receipt, language });
  pdf.end();
  return buffer(pdf);
}

type Look = { receipt: Receipt; language: ReceiptLanguage };

function rowsOf(receipt: Receipt, language: ReceiptLanguage): [string, string][] {
  const { timezone, settledAt, createdAt, periodStartAt, periodEndAt, status, reference, exchange, lines, rest } = receipt;
  const text = words[language];
  const day = (at: Date) => localDate(at, timezone);
  return [
    [text.status, text.statuses[status]],
    [text.paidBy, receipt.programName],
    [text.paidTo, receipt.affiliateName],
    [text.date, day(settledAt ?? createdAt)],
    [text.period, `${day(periodStartAt)} – ${day(periodEndAt)}`],
    ...(exchange ? [[text.converted, formatConversion(receipt, exchange, language)] as [string, string]] : []),
    [text.commissions, String(lines.length + rest.count)],
    [text.reference, reference ?? text.noReference],
    [text.payout, receipt.id],
  ];
}

function addLine(pdf: Pdf, line: ReceiptLine, look: Look): void {
  const day = localDate(line.earnedAt, look.receipt.timezone);
  addRow(pdf, { day, name: describeLine(line, look.language), cents: line.amountCents }, look);
}

type TableRow = { day?: string; name: string; cents: number; isSum?: boolean };

function addRow(pdf: Pdf, { day = '', name, cents, isSum = false }: TableRow, look: Look): void {
  if (pdf.y > bottom) pdf.addPage();
  const y = pdf.y;
  setFont(pdf, 'regular', 9).fillColor(faint).text(day, margin, y, { lineBreak: false });
  setFont(pdf, isSum ? 'bold' : 'regular', 9).fillColor(ink);
  const amount = printAmount(pdf, cents, look.receipt.currency, look.language);
  const amountAt = right - pdf.widthOfString(amount);
  pdf.text(amount, amountAt, y, { lineBreak: false });
  writeLine(pdf, name, isSum ? margin : describedAt, y, amountAt - describedAt - 12);
  pdf.x = margin;
  pdf.y = y + 15;
}
