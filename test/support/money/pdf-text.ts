// The lines of text in a PDF, whose fonts are embedded: their tables say which letters a glyph represents.
import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';

/** Letters by the number of their glyph. */
type Letters = ReadonlyMap<number, string>;

/** The text of each drawing operation, in order. Right-to-left words are in the order of their glyphs, from left to right. */
export function readPdfText(pdf: Buffer): string[] {
  const file = pdf.toString('latin1');
  const fonts = readFonts(file);
  const lines: string[] = [];
  for (const [, stream = ''] of file.matchAll(/stream\n([\s\S]*?)\nendstream/g)) {
    let letters: Letters = new Map();
    for (const [, font, parts = ''] of inflate(stream).matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (font !== undefined) letters = fonts.get(font) ?? new Map();
      else lines.push([...parts.matchAll(/<([0-9a-f]*)>/g)].map(([, hex = '']) => decode(hex, letters)).join(''));
    }
  }
  return lines;
}

function decode(hex: string, letters: Letters): string {
  return (hex.match(/.{4}/g) ?? [])
    .map((code) => {
      const glyph = Number.parseInt(code, 16);
      assert.ok(glyph !== 0, 'the PDF shows a letter that its font lacks');
      return letters.get(glyph) ?? '';
    })
    .join('');
}

/** The fonts by the names that the pages give them. */
function readFonts(file: string): ReadonlyMap<string, Letters> {
  const tables = new Map<string, Letters>();
  for (const [, name = '', object = ''] of file.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const table = /\/ToUnicode (\d+) 0 R/.exec(objectOf(file, object))?.[1];
    assert.ok(table !== undefined, `the font ${name} is not embedded`);
    tables.set(name, readLetters(inflate(/stream\n([\s\S]*)\nendstream/.exec(objectOf(file, table))?.[1] ?? '')));
  }
  return tables;
}

function objectOf(file: string, number: string): string {
  const start = file.indexOf(`\n${number} 0 obj\n`);
  return file.slice(start, file.indexOf('\nendobj', start));
}

/** Ranges such as `<0000> <0002> [<0000> <0053> <0066 0069>]`: a glyph may represent several letters, in units with spaces. */
function readLetters(table: string): Letters {
  const letters = new Map<number, string>();
  for (const [, from = '', values = ''] of table.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/g)) {
    for (const [index, [, hex = '']] of [...values.matchAll(/<([0-9a-f ]*)>/g)].entries()) {
      const units = Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16();
      letters.set(Number.parseInt(from, 16) + index, units.toString('utf16le'));
    }
  }
  return letters;
}

function inflate(stream: string): string {
  try {
    return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
  } catch {
    return '';
  }
}
