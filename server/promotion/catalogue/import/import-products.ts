// Importing products: rows are matched by external id and independent, so an invalid row does not stop the others.
import type { Tx } from '../../../context.ts';
import { difference } from '../../../platform/audit/difference.ts';
import { parseParts } from '../../../platform/http/validate.ts';
import { type Detail, Invalid } from '../../../platform/lib/errors.ts';
import { findUnknownGroups } from '../allowed-groups.ts';
import { AddedProduct, ChangedProduct, type ImportedProduct, type ImportRow, type InvalidRow } from './imported-product.ts';
import {
  addProducts,
  type Change,
  changeProducts,
  type ExistingProduct,
  type Importer,
  lockProducts,
  type NewProductRow,
} from './write-imported.ts';

export type RowOutcome = {
  row: number;
  status: 'created' | 'updated' | 'unchanged' | 'invalid';
  id?: string | undefined;
  externalId?: string | undefined;
  details?: Detail[] | undefined;
};
export type ImportOutcome = { created: number; updated: number; unchanged: number; invalid: number; rows: RowOutcome[] };

/** Creates and updates products by external id. Returns the outcome of each row, in the order of their numbers. */
export async function importProducts(tx: Tx, importer: Importer, rows: readonly ImportRow[]): Promise<ImportOutcome> {
  const { additions, changes, invalid } = await sortRows(tx, importer.programId, rows);
  const { created, late } = await addProducts(tx, importer, additions);
  const changed = await changeProducts(tx, importer, [...changes, ...late]);
  return summarize(rows, [...reject(invalid), ...created, ...changed]);
}

/** What importing these rows would do now. Nothing is written. */
export async function rehearseImport(tx: Tx, programId: string, rows: readonly ImportRow[]): Promise<ImportOutcome> {
  const { additions, changes, invalid } = await sortRows(tx, programId, rows);
  const created = additions.map(({ row }): RowOutcome => ({ row, status: 'created' }));
  const changed = changes.map(
    ({ row, before, fields }): RowOutcome => ({ row, status: difference(before, fields) ? 'updated' : 'unchanged', id: before.id }),
  );
  return summarize(rows, [...reject(invalid), ...created, ...changed]);
}

function reject(invalid: readonly InvalidRow[]): RowOutcome[] {
  return invalid.map(({ row, details }) => ({ row, status: 'invalid', details }));
}

function summarize(rows: readonly ImportRow[], found: readonly RowOutcome[]): ImportOutcome {
  const externalIds = new Map(rows.flatMap((row) => ('product' in row ? [[row.row, toKey(row.product)] as const] : [])));
  const outcomes = found.map((outcome): RowOutcome => ({ ...outcome, externalId: externalIds.get(outcome.row) || undefined }));
  const count = (status: RowOutcome['status']) => outcomes.filter((outcome) => outcome.status === status).length;
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    invalid: count('invalid'),
    rows: outcomes.sort((a, b) => a.row - b.row),
  };
}

type SortedRows = { additions: NewProductRow[]; changes: Change[]; invalid: InvalidRow[] };

/** Separates new products, changes and invalid rows. Existing products are locked. */
async function sortRows(tx: Tx, programId: string, rows: readonly ImportRow[]): Promise<SortedRows> {
  const externalIds = rows.flatMap((row) => ('product' in row ? toKey(row.product) : []));
  const existing = await lockProducts(tx, programId, externalIds);
  const parsed = rows.map((row) => ('product' in row ? parseRow(row, existing.get(toKey(row.product))) : row));
  const groupIds = parsed.flatMap((row) => ('fields' in row ? (row.fields.allowedGroupIds ?? []) : []));
  const unknownGroups = await findUnknownGroups(tx, programId, groupIds);
  const sorted: SortedRows = { additions: [], changes: [], invalid: [] };
  const firstRows = new Map<string, number>();
  for (const row of parsed) {
    const fault = 'fields' in row ? findConflict(row, firstRows, unknownGroups) : row;
    if (fault) sorted.invalid.push(fault);
    else if ('before' in row) sorted.changes.push(row);
    else if ('fields' in row) sorted.additions.push(row);
    if (!fault && 'fields' in row) firstRows.set(row.fields.externalId, row.row);
  }
  return sorted;
}

/** The external id as it is stored. */
function toKey({ externalId }: ImportedProduct): string {
  return externalId.normalize('NFC').trim();
}

function parseRow(
  { row, product }: { row: number; product: ImportedProduct },
  before: ExistingProduct | undefined,
): NewProductRow | Change | InvalidRow {
  try {
    if (before) return { row, before, fields: parseParts({ row: [ChangedProduct, product] }).row };
    return { row, fields: parseParts({ row: [AddedProduct, product] }).row };
  } catch (error) {
    if (error instanceof Invalid) return { row, details: error.details ?? [] };
    throw error;
  }
}

/** What makes a valid row invalid beside the others: its external id is repeated, or a group is unknown. */
function findConflict(
  { row, fields }: NewProductRow | Change,
  firstRows: ReadonlyMap<string, number>,
  unknownGroups: ReadonlySet<string>,
): InvalidRow | null {
  if (fields.allowedGroupIds?.some((id) => unknownGroups.has(id)))
    return { row, details: [{ path: ['allowedGroupIds'], message: 'was not found in this program' }] };
  const first = firstRows.get(fields.externalId);
  return first === undefined ? null : { row, details: [{ path: ['externalId'], message: `is already used in row ${first}` }] };
}
