// An invoice as a PDF. The same invoice always gives the same bytes: nothing in it depends on the time of the download.
import { buffer } from 'node:stream/consumers';
import { type Pdf, printAmount, registerFonts, setFont, writeLine } from '../../../earning/statements/pdf-fonts.ts';
import { faint, ink, margin } from '../../../earning/statements/pdf-page.ts';
import type { Workers } from '../../../platform/lib/concurrency/workers.ts';
import { formatCents, formatConversion, formatRate, locales } from '../../../platform/lib/currency.ts';
import type { VatExchange } from '../vat-exchange.ts';
import type { InvoiceDocument, Party } from './document.ts';
import { type Words, wordsOf } from './wording.ts';

const right = 595 - margin;
const width = right - margin;
const valueAt = 200;

/** Renders an A4 PDF in a worker thread. */
export function renderInvoice(workers: Workers, document: InvoiceDocument): Promise<Uint8Array> {
  return workers.run(import.meta.url, invoicePdf, document);
}

/** Runs in a worker thread. */
export async function invoicePdf(document: InvoiceDocument): Promise<Uint8Array> {
  const { language, isCancellation, vatCase, supplier, recipient, number, createdAt } = document;
  const words = wordsOf({ language, isCancellation, vatCase, supplierCountry: supplier.country, recipientCountry: recipient.country });
  // Imported only here: at the top, it would add a quarter of a second to every start.
  const { default: PDF } = await import('pdfkit');
  const info = { Title: `${words.title} ${number}`, Author: recipient.name, CreationDate: createdAt };
  const pdf = new PDF({ size: 'A4', margin, font: '', lang: language, info });
  registerFonts(pdf);
  writeWrapped(setFont(pdf, 'bold', 22).fillColor(ink), words.title, width);
  pdf.moveDown(0.6);
  addRows(pdf, rowsOf(document, words));
  pdf.moveDown(1);
  const countries = new Intl.DisplayNames(locales[language], { type: 'region' });
  for (const [title, party] of [
    [words.supplier, supplier],
    [words.recipient, recipient],
  ] as const)
    addParty(pdf, title, { ...party, country: countries.of(party.country) ?? party.country }, words);
  addAmounts(pdf, document, words);
  for (const note of words.notes) {
    writeWrapped(setFont(pdf, 'regular', 10).fillColor(ink), note, width);
    pdf.moveDown(0.4);
  }
  pdf.end();
  return buffer(pdf);
}

function rowsOf(document: InvoiceDocument, words: Words): [string, string][] {
  const { number, createdAt, cancels, periodStartAt, periodEndAt, payoutId, language, timezone, paid } = document;
  const format = new Intl.DateTimeFormat(locales[language], { dateStyle: language === 'de' ? 'medium' : 'long', timeZone: timezone });
  const day = (at: Date) => format.format(at);
  return [
    [words.number, number],
    [words.date, day(createdAt)],
    ...(cancels ? [[words.cancels, `${cancels.number}, ${day(cancels.createdAt)}`] as [string, string]] : []),
    [words.period, `${day(periodStartAt)} – ${day(periodEndAt)}`],
    [words.payout, payoutId],
    ...(paid
      ? [
          [words.paid, `${formatCents(paid.amountCents, paid.currency, { language })} (${formatConversion(document, paid, language)})`] as [
            string,
            string,
          ],
        ]
      : []),
  ];
}

function addRows(pdf: Pdf, rows: readonly [string, string][]): void {
  for (const [name, value] of rows) {
    const y = pdf.y;
    setFont(pdf, 'regular', 10).fillColor(faint).text(name, margin, y, { lineBreak: false });
    writeLine(pdf.fillColor(ink), value, valueAt, y, right - valueAt);
    pdf.x = margin;
  }
}

function addParty(pdf: Pdf, title: string, party: Party, words: Words): void {
  const { name, address, country, vatId, taxNumber } = party;
  setFont(pdf, 'regular', 9).fillColor(faint).text(title, margin, pdf.y);
  writeWrapped(setFont(pdf, 'bold', 11).fillColor(ink), name, width);
  setFont(pdf, 'regular', 10);
  for (const line of [...address, country]) writeWrapped(pdf, line, width);
  if (vatId !== null) writeWrapped(pdf, `${words.vatId} ${vatId}`, width);
  if (taxNumber !== null) writeWrapped(pdf, `${words.taxNumber} ${taxNumber}`, width);
  pdf.moveDown(1);
}

type AmountRow = [name: string, cents: number, isSum?: boolean, currency?: string];

/** "VAT 19% in EUR (1 EUR = 1.0842 USD, 2026-11-02)" */
function convertedRow(
  exchange: VatExchange,
  { currency, language, vat }: Pick<InvoiceDocument, 'currency' | 'language'> & { vat: string },
): AmountRow {
  const rate = formatRate(currency, exchange, language);
  return [`${vat} in ${exchange.currency} (${rate})`, exchange.amountCents, false, exchange.currency];
}

function addAmounts(pdf: Pdf, document: InvoiceDocument, words: Words): void {
  const { netCents, vatCents, vatExchange, amountCents, vatRatePercent, language, currency } = document;
  const rate = new Intl.NumberFormat(locales[language], { style: 'percent', maximumFractionDigits: 4 }).format(vatRatePercent / 100);
  const rows: AmountRow[] = [
    [words.service, netCents],
    [words.net, netCents],
    [`${words.vat} ${rate}`, vatCents],
    [words.total, amountCents, true],
    ...(vatExchange ? [convertedRow(vatExchange, { currency, language, vat: `${words.vat} ${rate}` })] : []),
  ];
  for (const [name, cents, isSum = false, shown = currency] of rows) {
    const y = pdf.y;
    pdf
      .moveTo(margin, y - 4)
      .lineTo(right, y - 4)
      .lineWidth(isSum ? 0.8 : 0.3)
      .strokeColor(isSum ? ink : faint)
      .stroke();
    setFont(pdf, isSum ? 'bold' : 'regular', 11)
      .fillColor(ink)
      .text(name, margin, y, { lineBreak: false });
    const amount = printAmount(pdf, cents, shown, language);
    pdf.text(amount, right - pdf.widthOfString(amount), y, { lineBreak: false });
    pdf.x = margin;
    pdf.y = y + 22;
  }
  pdf.moveDown(0.6);
}

/** Writes a text in as many lines as it needs; nothing of a name or an address is cut. */
function writeWrapped(pdf: Pdf, text: string, maxWidth: number): void {
  let line = '';
  for (const word of text.split(' ').flatMap((one) => splitWord(pdf, one, maxWidth))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (pdf.widthOfString(longer) > maxWidth && line !== '') {
      writeLine(pdf, line, margin, pdf.y, maxWidth);
      line = word;
    } else line = longer;
  }
  writeLine(pdf, line, margin, pdf.y, maxWidth);
}

/** A word that is wider than a line, in pieces. */
function splitWord(pdf: Pdf, word: string, maxWidth: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    if (piece !== '' && pdf.widthOfString(piece + segment) > maxWidth) {
      pieces.push(piece);
      piece = '';
    }
    piece += segment;
  }
  return [...pieces, piece];
}
