// A statement on paper: one column of lines, the sum as it comes about, and the seal at the foot.
import { buffer } from 'node:stream/consumers';
import type PDFDocument from 'pdfkit';
import type { Workers } from '../../platform/lib/concurrency/workers.ts';
import { formatCents } from '../../platform/lib/currency.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';
import type { Statement, StatementLine, StatementSummary } from './statement.ts';
import { lineWords, monthWords } from './words.ts';

const margin = 56;
const ink = '#1c2321';
const faint = '#6b7672';
const columns = { date: margin, what: margin + 70, amount: 420 };
const rowHeight = 18;

/** `pages` are JSON arrays of lines: as texts they reach the thread without being copied object by object. */
type Input = { summary: StatementSummary; pages: string[]; createdAt: Date };
type Line = Omit<StatementLine, 'at'> & { at: string };

/** The statement as a PDF (A4), made in a worker thread. `createdAt` is stored in the file. */
export async function renderPdf(workers: Workers, { summary, pages }: Statement, createdAt: Date): Promise<Uint8Array> {
  const texts: string[] = [];
  for await (const page of pages) texts.push(JSON.stringify(page));
  return workers.run(import.meta.url, statementPdf, { summary, pages: texts, createdAt });
}

/** Runs in a worker thread. */
export async function statementPdf({ summary: statement, pages, createdAt }: Input): Promise<Uint8Array> {
  const title = `Statement ${monthWords(statement.month)}`;
  // Loaded in the thread alone: it would lengthen every start by a quarter of a second.
  const { default: PDF } = await import('pdfkit');
  const pdf = new PDF({
    size: 'A4',
    margin,
    info: { Title: title, Author: printable(statement.programName), CreationDate: createdAt },
  });
  head(pdf, statement, title);
  sums(pdf, statement);
  for (const page of pages) for (const line of JSON.parse(page) as Line[]) row(pdf, statement, line);
  if (pages.length === 0)
    pdf
      .fillColor(faint)
      .fontSize(10)
      .text('Nothing moved this month.', margin, pdf.y + 12);
  foot(pdf, statement);
  pdf.end();
  return buffer(pdf);
}

type Pdf = InstanceType<typeof PDFDocument>;

function head(pdf: Pdf, { programName, affiliateName }: StatementSummary, title: string): void {
  pdf.font('Helvetica').fontSize(10).fillColor(faint).text(printable(programName));
  pdf.font('Helvetica-Bold').fontSize(22).fillColor(ink).text(title);
  pdf.font('Helvetica').fontSize(12).text(printable(affiliateName)).moveDown(1.5);
}

function sums(pdf: Pdf, statement: StatementSummary): void {
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
    pdf.text(formatCents(cents, currency), columns.amount, y, { width: 119, align: 'right' });
    pdf.y = y + rowHeight;
  }
  pdf.moveDown(1.5);
}

function row(pdf: Pdf, { currency, timezone }: StatementSummary, line: Line): void {
  if (pdf.y > pdf.page.height - margin - 40) pdf.addPage();
  const y = pdf.y;
  pdf
    .font('Helvetica')
    .fontSize(9)
    .fillColor(faint)
    .text(localDate(new Date(line.at), timezone), columns.date, y);
  pdf.fillColor(ink).text(printable(lineWords(line)), columns.what, y, { width: 280, height: 11, ellipsis: true });
  pdf.text(formatCents(line.cents, currency), columns.amount, y, { width: 119, align: 'right' });
  pdf.y = y + 15;
}

function foot(pdf: Pdf, { seal }: StatementSummary): void {
  const text = seal ? `Ledger entry ${seal.seq}, SHA-256 ${seal.hash}` : 'The ledger has no entry yet.';
  pdf
    .font('Helvetica')
    .fontSize(7)
    .fillColor(faint)
    .text(text, margin, pdf.page.height - margin - 10, { lineBreak: false });
}

/** The built-in fonts know Latin letters; others are shown by their closest form, or a question mark. */
function printable(text: string): string {
  return text.replace(/[^\u0020-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d\u20ac]/g, (letter) => {
    const plain = letter.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');
    return /^[\u0020-\u00ff]+$/.test(plain) ? plain : '?';
  });
}
