// A statement as a PDF: the totals, one row per line, and the hash of the last ledger entry in the footer.
import { buffer } from 'node:stream/consumers';
import type PDFDocument from 'pdfkit';
import type { Workers } from '../../platform/lib/concurrency/workers.ts';
import { formatCents } from '../../platform/lib/currency.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';
import { describeLine, formatMonth } from './describe-line.ts';
import type { Statement, StatementLine, StatementSummary } from './read-statement.ts';

const margin = 56;
const ink = '#1c2321';
const faint = '#6b7672';
const columns = { date: margin, what: margin + 70, amount: 420 };
const rowHeight = 18;

/** Letters that the built-in fonts lack. */
const unprintable = /[^\u0020-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d\u20ac]/;

/** `pages` are JSON arrays of lines: strings are passed to a thread without being copied object by object. */
type Input = { summary: StatementSummary; pages: string[]; createdAt: Date };
type Line = Omit<StatementLine, 'createdAt'> & { createdAt: string };

/** Renders an A4 PDF in a worker thread. `createdAt` is stored in the file. */
export async function renderPdf(workers: Workers, { summary, pages }: Statement, createdAt: Date): Promise<Uint8Array> {
  const texts: string[] = [];
  for await (const page of pages) texts.push(JSON.stringify(page));
  return workers.run(import.meta.url, statementPdf, { summary, pages: texts, createdAt });
}

/** Runs in a worker thread. */
export async function statementPdf({ summary, pages, createdAt }: Input): Promise<Uint8Array> {
  const title = `Statement ${formatMonth(summary.month)}`;
  // Imported only here: at the top, it would add a quarter of a second to every start.
  const { default: PDF } = await import('pdfkit');
  const pdf = new PDF({
    size: 'A4',
    margin,
    info: { Title: title, Author: toPrintable(summary.programName), CreationDate: createdAt },
  });
  addHeader(pdf, summary, title);
  addTotals(pdf, summary);
  for (const page of pages) for (const line of JSON.parse(page) as Line[]) addRow(pdf, summary, line);
  if (pages.length === 0)
    pdf
      .fillColor(faint)
      .fontSize(10)
      .text('No entries this month.', margin, pdf.y + 12);
  addFooter(pdf, summary);
  pdf.end();
  return buffer(pdf);
}

type Pdf = InstanceType<typeof PDFDocument>;

function addHeader(pdf: Pdf, { programName, affiliateName }: StatementSummary, title: string): void {
  pdf.font('Helvetica').fontSize(10).fillColor(faint).text(toPrintable(programName));
  pdf.font('Helvetica-Bold').fontSize(22).fillColor(ink).text(title);
  pdf.font('Helvetica').fontSize(12).text(toPrintable(affiliateName)).moveDown(1.5);
}

function addTotals(pdf: Pdf, statement: StatementSummary): void {
  const { openingCents, earnedCents, adjustedCents, paidCents, closingCents, currency } = statement;
  const rows: [string, number, boolean?][] = [
    ['Opening', openingCents],
    ['Earned', earnedCents],
    ['Adjusted', -adjustedCents],
    ['Paid', -paidCents],
    ['Closing', closingCents, true],
  ];
  for (const [name, cents, isSum] of rows) {
    const y = pdf.y;
    if (isSum)
      pdf
        .moveTo(margin, y - 4)
        .lineTo(columns.amount + 119, y - 4)
        .lineWidth(0.6)
        .strokeColor(ink)
        .stroke();
    pdf
      .font(isSum ? 'Helvetica-Bold' : 'Helvetica')
      .fontSize(11)
      .fillColor(ink)
      .text(name, margin, y);
    pdf.text(formatAmount(cents, currency), columns.amount, y, { width: 119, align: 'right' });
    pdf.y = y + rowHeight;
  }
  pdf.moveDown(1.5);
}

function addRow(pdf: Pdf, { currency, timezone }: StatementSummary, line: Line): void {
  if (pdf.y > pdf.page.height - margin - 40) pdf.addPage();
  const y = pdf.y;
  pdf
    .font('Helvetica')
    .fontSize(9)
    .fillColor(faint)
    .text(localDate(new Date(line.createdAt), timezone), columns.date, y);
  pdf.fillColor(ink).text(toPrintable(describeLine(line)), columns.what, y, { width: 280, height: 11, ellipsis: true });
  pdf.text(formatAmount(line.amountCents, currency), columns.amount, y, { width: 119, align: 'right' });
  pdf.y = y + 15;
}

function addFooter(pdf: Pdf, { lastEntry }: StatementSummary): void {
  const text = lastEntry ? `Ledger entry ${lastEntry.seq}, SHA-256 ${lastEntry.hash}` : 'The ledger has no entries yet.';
  pdf
    .font('Helvetica')
    .fontSize(7)
    .fillColor(faint)
    .text(text, margin, pdf.page.height - margin - 10, { lineBreak: false });
}

/** The built-in fonts lack some symbols, such as ₹: the code of the currency replaces them. */
function formatAmount(cents: number, currency: string): string {
  // The built-in fonts have a hyphen only.
  const print = (display: 'symbol' | 'code') => formatCents(cents, currency, { currencyDisplay: display }).replace('\u2212', '-');
  const text = print('symbol');
  return unprintable.test(text) ? print('code') : text;
}

/** The built-in fonts contain Latin letters; others are replaced by their closest form or a question mark. */
function toPrintable(text: string): string {
  return text.replace(RegExp(unprintable, 'g'), (letter) => {
    const plain = letter.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');
    return /^[\u0020-\u00ff]+$/.test(plain) ? plain : '?';
  });
}
