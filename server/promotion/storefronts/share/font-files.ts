// The font of the images, in the only form that the image library reads from a file: WOFF files of our dependencies, unpacked
// into a temporary folder of this process.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

const { resolve } = createRequire(import.meta.url);
const subsets = ['latin-ext', 'latin'];
let paths: string[] | null = null;

/** The paths of the font's files; all of them must be loaded. */
export function unpackFonts(): string[] {
  if (paths) return paths;
  const folder = mkdtempSync(join(tmpdir(), 'tributary-fonts-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  paths = subsets.map((subset) => {
    const path = join(folder, `${subset}.ttf`);
    writeFileSync(path, toOpenType(readFileSync(resolve(`@fontsource/instrument-serif/files/instrument-serif-${subset}-400-normal.woff`))));
    return path;
  });
  return paths;
}

const [woffHeader, woffEntry, header, entry] = [44, 20, 12, 16];

/** WOFF 1 is an OpenType file whose tables are compressed one by one (https://www.w3.org/TR/WOFF/). */
function toOpenType(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const power = 2 ** Math.floor(Math.log2(count));
  const head = Buffer.alloc(header + count * entry);
  woff.copy(head, 0, 4, 8);
  for (const [index, value] of [count, power * entry, Math.log2(power), (count - power) * entry].entries())
    head.writeUInt16BE(value, 4 + index * 2);
  const tables: Buffer[] = [];
  for (let index = 0; index < count; index += 1) {
    const from = woffHeader + index * woffEntry;
    const [start, packed, length] = [woff.readUInt32BE(from + 4), woff.readUInt32BE(from + 8), woff.readUInt32BE(from + 12)];
    const bytes = woff.subarray(start, start + packed);
    const to = header + index * entry;
    woff.copy(head, to, from, from + 4);
    woff.copy(head, to + 4, from + 16, from + 20);
    head.writeUInt32BE(head.length + tables.reduce((sum, table) => sum + table.length, 0), to + 8);
    head.writeUInt32BE(length, to + 12);
    const table = packed < length ? inflateSync(bytes) : bytes;
    tables.push(Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]));
  }
  return Buffer.concat([head, ...tables]);
}
