// The letters of PDFs. The font is embedded, since the built-in ones have neither the minus sign nor letters
// beyond Western Europe. Letters of scripts that it lacks, such as Chinese and Thai, are printed as question marks.
import { createRequire } from 'node:module';
import type PDFDocument from 'pdfkit';
import { type Display, formatCents } from '../../platform/lib/currency.ts';
import { splitByDirection } from '../../platform/lib/text.ts';

export type Pdf = InstanceType<typeof PDFDocument>;

type Font = { hasGlyphForCodePoint(codePoint: number): boolean };
type Style = 'regular' | 'bold';

const { resolve } = createRequire(import.meta.url);
const files: Record<Style, string> = { regular: 'DejaVuSansCondensed.ttf', bold: 'DejaVuSansCondensed-Bold.ttf' };

export function registerFonts(pdf: Pdf): void {
  for (const [style, file] of Object.entries(files)) pdf.registerFont(style, resolve(`dejavu-fonts-ttf/ttf/${file}`));
}

export function setFont(pdf: Pdf, style: Style, size: number): Pdf {
  return pdf.font(style).fontSize(size);
}

/** Whether the current font has all letters of a text. */
function hasLetters(pdf: Pdf, text: string): boolean {
  // pdfkit has no public way to ask its font.
  const { font } = (pdf as unknown as { _font: { font: Font } })._font;
  return [...text].every((letter) => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0));
}

/** The text with letters that the font lacks replaced by their closest form or a question mark. */
function toPrintable(pdf: Pdf, text: string): string {
  const print = (letter: string): string => {
    if (/\p{Default_Ignorable_Code_Point}/u.test(letter)) return '';
    if (hasLetters(pdf, letter)) return letter;
    const plain = letter.normalize('NFKD').replace(/\p{M}/gu, '');
    return plain !== '' && hasLetters(pdf, plain) ? plain : '?';
  };
  return [...text].map(print).join('');
}

/** An amount as the current font can print it: the code of the currency replaces a symbol that the font lacks. */
export function printAmount(pdf: Pdf, cents: number, currency: string, language: Display['language'] = 'en'): string {
  const text = formatCents(cents, currency, { language });
  return hasLetters(pdf, text) ? text : toPrintable(pdf, formatCents(cents, currency, { language, currencyDisplay: 'code' }));
}

/** Writes one line, cut at `maxWidth`, and continues below it. Right-to-left words keep their order among the others. */
export function writeLine(pdf: Pdf, text: string, x: number, y: number, maxWidth: number): Pdf {
  let left = x;
  for (const { text: words, isRightToLeft } of splitByDirection(fit(pdf, toPrintable(pdf, text), maxWidth))) {
    const options = optionsOf(isRightToLeft);
    pdf.text(words, left, y, options);
    left += pdf.widthOfString(words, options);
  }
  pdf.x = x;
  pdf.y = y + pdf.currentLineHeight(true);
  return pdf;
}

/** Without `features`, pdfkit sets one word after the other, from left to right. */
function optionsOf(isRightToLeft: boolean): { lineBreak: false; features?: [] } {
  return isRightToLeft ? { lineBreak: false, features: [] } : { lineBreak: false };
}

/** The text with an ellipsis where it is wider than the line. */
function fit(pdf: Pdf, text: string, maxWidth: number): string {
  if (pdf.widthOfString(text) <= maxWidth) return text;
  const letters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  while (letters.length > 0 && pdf.widthOfString(`${letters.join('')}…`) > maxWidth) letters.pop();
  return `${letters.join('')}…`;
}
