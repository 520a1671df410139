// Reads the files of another system: which of its exports each file is follows from its columns, so names don't matter.
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { Invalid } from '../../../platform/lib/errors.ts';
import type { PastRecord, Rejection } from '../records.ts';
import type { FileKind, Source } from '../sources/source.ts';
import { type Columns, createColumns, createRow, type Reading, RowFault } from './row.ts';

const maxRowBytes = 256 * 1024;

/** What the files contain. `files` says which export each file was recognized as. */
export type Contents = { records: PastRecord[]; rejections: Rejection[]; files: { file: string; kind: string; rows: number }[] };

/** The CSV files of these paths, and of the folders among them. Throws Invalid if there are none. */
export async function listFiles(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const stats = await stat(path).catch(() => null);
    if (!stats) throw new Invalid([], `${path} does not exist.`);
    if (!stats.isDirectory()) found.push(path);
    else
      found.push(
        ...(await readdir(path))
          .filter((name) => /\.csv$/i.test(name))
          .sort()
          .map((name) => join(path, name)),
      );
  }
  if (found.length === 0) throw new Invalid([], `${paths.join(', ')} contains no CSV files.`);
  return found;
}

/** Reads all rows of the files. Throws Invalid for a file that is not an export of the source. */
export async function readFiles(paths: readonly string[], source: Source, reading: Reading): Promise<Contents> {
  const contents: Contents = { records: [], rejections: [], files: [] };
  for (const path of paths) contents.files.push(await readFile(path, { source, reading }, contents));
  return contents;
}

type How = { source: Source; reading: Reading };

async function readFile(path: string, { source, reading }: How, contents: Contents): Promise<Contents['files'][number]> {
  const file = basename(path);
  let table: { columns: Columns; kind: FileKind } | null = null;
  let row = 1;
  for await (const cells of readCells(path, file)) {
    if (!table) {
      const columns = createColumns(cells);
      table = { columns, kind: recognize(file, columns, source) };
      continue;
    }
    row += 1;
    try {
      const { columns } = table;
      if (cells.length !== columns.header.length)
        throw new RowFault('', `has ${cells.length} cells; the header has ${columns.header.length}`);
      const opened = createRow({ file, row }, columns, cells, reading);
      contents.records.push(...table.kind.read(opened));
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      contents.rejections.push({ file, row, column: error.column, reason: error.message });
    }
  }
  if (!table) throw new Invalid([], `${file} is empty.`);
  return { file, kind: table.kind.name, rows: row - 1 };
}

/** The rows of the file with its header. The separator is the one that the header uses most. */
async function* readCells(path: string, file: string): AsyncGenerator<string[]> {
  const parser = parse({
    bom: true,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: maxRowBytes,
    delimiter: await findDelimiter(path),
  });
  // The parser passes errors of the file on.
  pipeline(createReadStream(path), parser).catch(() => undefined);
  try {
    yield* parser as AsyncIterable<string[]>;
  } catch (error) {
    throw error instanceof CsvError ? new Invalid([], `${file} is not valid CSV: ${error.message}`) : error;
  }
}

async function findDelimiter(path: string): Promise<string> {
  let start = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8', end: 64 * 1024 })) start += chunk;
  const header = start.split(/\r?\n/, 1)[0] ?? '';
  const count = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0] ?? ',';
}

/** The export whose required columns the file has; of several, the one that requires most. */
function recognize(file: string, columns: Columns, source: Source): FileKind {
  const missingOf = ({ required }: FileKind) => required.filter((names) => columns.find(names) === -1).map((names) => names[0] ?? '');
  const matches = source.files.filter((kind) => missingOf(kind).length === 0);
  const best = matches.toSorted((one, other) => other.required.length - one.required.length)[0];
  if (best) return best;
  const closest = source.files.toSorted((one, other) => missingOf(one).length - missingOf(other).length).slice(0, 2);
  const missing = closest.map((kind) => `for ${kind.name}, it lacks ${missingOf(kind).join(', ')}`);
  throw new Invalid([], `${file} is not an export of ${source.title} that can be imported: ${missing.join('; ')}.`);
}
