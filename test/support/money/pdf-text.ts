// The lines of text in a PDF that uses the built-in fonts.
import { inflateSync } from 'node:zlib';

/** The text of each drawing operation, in order. */
export function readPdfText(pdf: Buffer): string[] {
  const lines: string[] = [];
  for (const [, stream = ''] of pdf.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g)) {
    const content = inflate(stream);
    for (const [, parts = ''] of content.matchAll(/\[([^\]]*)\] TJ/g))
      lines.push([...parts.matchAll(/<([0-9a-f]*)>/g)].map(([, hex = '']) => decode(hex)).join(''));
  }
  return lines;
}

function inflate(stream: string): string {
  try {
    return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
  } catch {
    return '';
  }
}

/** Windows-1252, the encoding of the built-in fonts. */
function decode(hex: string): string {
  return new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex'));
}
