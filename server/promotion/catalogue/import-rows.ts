// Product rows: CSV text into rows, cells into fields, and the validation of each row, which the product sync of a
// store shares.
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { line } from '../../platform/http/declaration/fields.ts';
import { parseParts } from '../../platform/http/validate.ts';
import type { Workers } from '../../platform/lib/concurrency/workers.ts';
import { type Detail, Invalid } from '../../platform/lib/errors.ts';
import { productFields } from './product.ts';

const maxRows = 2000;
/** Blank lines included. */
const maxLines = 10_000;
/** Twice what the longest product takes. */
const maxRecordLength = 50_000;
const numbers = new Set(['priceCents', 'compareAtPriceCents']);
/** An empty cell clears these; of the others it says nothing. */
const clearable = new Set(['description', 'category', 'brand', 'imageUrl', 'sku', 'compareAtPriceCents']);
const columns = new Set(Object.keys(productFields));

const Added = z.object({ ...productFields, externalId: line(200) });
const Changed = Added.partial().required({ externalId: true });
export type NewImport = z.output<typeof Added>;
export type ImportedProduct = z.output<typeof Changed>;

/** `row` is as a spreadsheet counts: the header is row 1. */
export type FaultyRow = { row: number; details: Detail[] };
export type TextRow = { row: number; externalId: string; cells: Record<string, string> };
/** A row to import: the fields of a product, not validated yet. An absent field keeps its value, null clears it. */
export type ProductRow = { row: number; externalId: string; fields: Record<string, unknown> };

/** The rows of a CSV text, read in a worker thread. Throws Invalid when it isn't a table of products at all. */
export async function readRows(workers: Workers, csv: string): Promise<(TextRow | FaultyRow)[]> {
  const { rows, fault } = await workers.run(import.meta.url, splitRows, csv);
  if (fault !== null) throw new Invalid([{ path: ['csv'], message: fault }]);
  return rows;
}

type Split = { rows: (TextRow | FaultyRow)[]; fault: string | null };

/** Runs in a worker thread, where an error would lose its class: what is wrong with the text is returned. */
export function splitRows(csv: string): Split {
  try {
    return { rows: rowsOf(csv), fault: null };
  } catch (error) {
    if (error instanceof Invalid) return { rows: [], fault: error.details?.[0]?.message ?? '' };
    throw error;
  }
}

function rowsOf(csv: string): (TextRow | FaultyRow)[] {
  const [header = [], ...records] = parseCsv(csv);
  if (records.length >= maxLines - 1) throw refused(`must not have more than ${maxLines - 1} lines`);
  const names = header.map((name) => name.trim());
  if (!names.includes('externalId')) throw refused('must have a column externalId');
  const repeated = names.find((name, index) => columns.has(name) && names.indexOf(name) !== index);
  if (repeated !== undefined) throw refused(`must not have two columns ${repeated}`);
  const filled = records.map((cells, index) => ({ row: index + 2, cells })).filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (filled.length > maxRows) throw refused(`must not have more than ${maxRows} rows`);
  return filled.map(({ row, cells }) => {
    if (cells.length !== names.length)
      return { row, details: [{ path: [], message: `has ${cells.length} cells where the header has ${names.length}` }] };
    const known = names.map((name, index) => [name, cells[index] ?? ''] as const).filter(([name]) => columns.has(name));
    const byName = Object.fromEntries(known);
    return { row, externalId: (byName.externalId ?? '').normalize('NFC'), cells: byName };
  });
}

/** The fields of a row of text. */
export function toProductRow({ row, externalId, cells }: TextRow): ProductRow {
  return { row, externalId, fields: Object.fromEntries(Object.entries(cells).flatMap(toField)) };
}

/** The changes of a row to a product that exists. Throws Invalid. */
export function parseChange({ fields }: ProductRow): ImportedProduct {
  return parseParts({ row: [Changed, fields] }).row;
}

/** The new product of a row, which must have every required field. Throws Invalid. */
export function parseNewProduct({ fields }: ProductRow): NewImport {
  return parseParts({ row: [Added, fields] }).row;
}

function toField([name, cell]: [string, string]): [string, unknown][] {
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
      throw refused(`must not have a row of more than ${maxRecordLength} characters`);
    throw refused('must be CSV: comma-separated, with quotes around cells that hold commas, quotes or line breaks');
  }
}

function refused(message: string): Invalid {
  return new Invalid([{ path: ['csv'], message }]);
}
