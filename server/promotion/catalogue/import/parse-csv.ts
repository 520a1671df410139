// Products as CSV: text into rows, cells into values. Pure.
import { CsvError, parse } from 'csv-parse/sync';
import type { Workers } from '../../../platform/lib/concurrency/workers.ts';
import { Invalid } from '../../../platform/lib/errors.ts';
import { productFields } from '../product.ts';
import type { ImportRow } from './imported-product.ts';

const maxRows = 2000;
/** Blank lines included. */
const maxLines = 10_000;
/** Twice the length of the longest product. */
const maxRecordLength = 50_000;
const numbers = new Set(['priceCents', 'compareAtPriceCents']);
/** An empty cell clears these fields and leaves the others unchanged. */
const clearable = new Set(['description', 'category', 'brand', 'imageUrl', 'sku', 'compareAtPriceCents']);
const columns = new Set(Object.keys(productFields));

/** The rows of a CSV text, read in a worker thread. Throws Invalid when it is not a table of products. */
export async function parseProductCsv(workers: Workers, csv: string): Promise<ImportRow[]> {
  const { rows, fault } = await workers.run(import.meta.url, splitRows, csv);
  if (fault !== null) throw new Invalid([{ path: ['csv'], message: fault }]);
  return rows;
}

type Split = { rows: ImportRow[]; fault: string | null };

/** Runs in a worker thread, where an error would lose its class, so a fault of the text is returned. */
export function splitRows(csv: string): Split {
  try {
    return { rows: toRows(csv), fault: null };
  } catch (error) {
    if (error instanceof Invalid) return { rows: [], fault: error.details?.[0]?.message ?? '' };
    throw error;
  }
}

function toRows(csv: string): ImportRow[] {
  const [header = [], ...records] = parseCsv(csv);
  if (records.length >= maxLines - 1) throw invalidCsv(`must not have more than ${maxLines - 1} lines`);
  const names = header.map((name) => name.trim());
  if (!names.includes('externalId')) throw invalidCsv('must have a column `externalId`');
  const repeated = names.find((name, index) => columns.has(name) && names.indexOf(name) !== index);
  if (repeated !== undefined) throw invalidCsv(`must not have two columns named \`${repeated}\``);
  const filled = records.map((cells, index) => ({ row: index + 2, cells })).filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (filled.length > maxRows) throw invalidCsv(`must not have more than ${maxRows} rows`);
  return filled.map(({ row, cells }) => {
    if (cells.length !== names.length)
      return { row, details: [{ path: [], message: `has ${cells.length} cells; the header has ${names.length}` }] };
    const fields = names.flatMap((name, index) => (columns.has(name) ? toField(name, cells[index] ?? '') : []));
    const product = Object.fromEntries(fields);
    return { row, product: { ...product, externalId: String(product.externalId ?? '') } };
  });
}

function toField(name: string, cell: string): [string, unknown][] {
  if (cell === '') return clearable.has(name) ? [[name, null]] : [];
  if (numbers.has(name)) return [[name, /^\d{1,15}$/.test(cell) ? Number(cell) : cell]];
  if (name === 'allowedGroupIds') return [[name, cell.split(/[\s,;|]+/).filter((id) => id !== '')]];
  return [[name, cell]];
}

function parseCsv(csv: string): string[][] {
  try {
    return parse(csv, { bom: true, trim: true, relax_column_count: true, max_record_size: maxRecordLength, to: maxLines }) as string[][];
  } catch (error) {
    if (error instanceof CsvError && error.code === 'CSV_MAX_RECORD_SIZE')
      throw invalidCsv(`must not have a row of more than ${maxRecordLength} characters`);
    throw invalidCsv('must be CSV: comma-separated, with quotes around cells that contain commas, quotes or line breaks');
  }
}

function invalidCsv(message: string): Invalid {
  return new Invalid([{ path: ['csv'], message }]);
}
