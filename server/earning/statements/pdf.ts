// A statement as a PDF: the totals, one row per line, and the hash of the last ledger entry in the footer.
import { buffer } from 'node:stream/consumers';
import type { Workers } from '../../platform/lib/concurrency/workers.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';
import { describeLine, formatMonth } from './describe-line.ts';
import { type Pdf, printAmount, registerFonts, setFont, writeLine } from './pdf-fonts.ts';
import { faint, ink, margin } from './pdf-page.ts';
import type { Statement, StatementLine, StatementSummary } from './read-statement.ts';

const columns = { date: margin, what: margin + 70, amount: 420 };
const lineWidth = 595 - 2 * margin;
const rowHeight = 18;

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
  const pdf = new PDF({ size: 'A4', margin, font: '', info: { Title: title, Author: summary.programName, CreationDate: createdAt } });
  registerFonts(pdf);
  addHeader(pdf, summary, title);
  addTotals(pdf, summary);
  for (const page of pages) for (const line of JSON.parse(page) as Line[]) addRow(pdf, summary, line);
  if (pages.length === 0)
    setFont(pdf, 'regular', 10)
      .fillColor(faint)
      .text('No entries this month.', margin, pdf.y + 12);
  addFooter(pdf, summary);
  pdf.end();
  return buffer(pdf);
}

function addHeader(pdf: Pdf, { programName, affiliateName }: StatementSummary, title: string): void {
  writeLine(setFont(pdf, 'regular', 10).fillColor(faint), programName, margin, pdf.y, lineWidth);
  setFont(pdf, 'bold', 22).fillColor(ink).text(title, margin, pdf.y);
  writeLine(setFont(pdf, 'regular', 12), affiliateName, margin, pdf.y, lineWidth).moveDown(1.5);
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
        .moveTo(margin, y - 2.5)
        .lineTo(columns.amount + 119, y - 2.5)
        .lineWidth(0.6)
        .strokeColor(ink)
        .stroke();
    setFont(pdf, isSum ? 'bold' : 'regular', 11)
      .fillColor(ink)
      .text(name, margin, y);
    addAmount(pdf, cents, currency, y);
    pdf.y = y + rowHeight;
  }
  pdf.moveDown(1.5);
}

function addRow(pdf: Pdf, { currency, timezone }: StatementSummary, line: Line): void {
  if (pdf.y > pdf.page.height - margin - 40) pdf.addPage();
  const y = pdf.y;
  setFont(pdf, 'regular', 9)
    .fillColor(faint)
    .text(localDate(new Date(line.createdAt), timezone), columns.date, y, { lineBreak: false });
  writeLine(pdf.fillColor(ink), describeLine(line), columns.what, y, 280);
  addAmount(pdf, line.amountCents, currency, y);
  pdf.y = y + 15;
}

function addFooter(pdf: Pdf, { lastEntry }: StatementSummary): void {
  const text = lastEntry ? `Ledger entry ${lastEntry.seq}, SHA-256 ${lastEntry.hash}` : 'The ledger has no entries yet.';
  setFont(pdf, 'regular', 7)
    .fillColor(faint)
    .text(text, margin, pdf.page.height - margin - 10, { lineBreak: false });
}

function addAmount(pdf: Pdf, cents: number, currency: string, y: number): void {
  const text = printAmount(pdf, cents, currency);
  pdf.text(text, columns.amount + 119 - pdf.widthOfString(text), y, { lineBreak: false });
}
