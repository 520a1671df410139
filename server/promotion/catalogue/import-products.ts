// Importing products, for the CSV endpoint and the product sync of a store. Rows are matched by external id; a faulty
// row does not stop the others, and however many rows there are, each kind of write is one statement.
import type { Selectable } from 'kysely';
import type { Tx } from '../../context.ts';
import { difference } from '../../platform/audit/difference.ts';
import { recordChanges } from '../../platform/audit/record.ts';
import type { Products } from '../../platform/db/schema.gen.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { type Detail, Invalid } from '../../platform/lib/errors.ts';
import { type FaultyRow, type ImportedProduct, type NewImport, type ProductRow, parseChange, parseNewProduct } from './import-rows.ts';
import { findStrangeGroups, groupsOf, newRow, restrictTo, searchText } from './product.ts';

/** The actor of an import, and the program whose catalogue it changes. */
export type Importer = Actor & { programId: string };
export type ImportedRow = { row: number; status: 'created' | 'updated' | 'unchanged' | 'invalid'; id?: string; details?: Detail[] };
export type ImportResult = { created: number; updated: number; unchanged: number; invalid: number; rows: ImportedRow[] };

type Present = Selectable<Products> & { allowedGroupIds: string[] };
type Addition = { row: number; given: NewImport };
type Change = { row: number; before: Present; given: ImportedProduct };

/** Creates or updates the products of these rows. Rows that were faulty before are only counted. */
export async function importProducts(tx: Tx, importer: Importer, rows: readonly (ProductRow | FaultyRow)[]): Promise<ImportResult> {
  const { additions, changes, faulty } = await sortRows(tx, importer.programId, rows);
  const { created, late } = await addProducts(tx, importer, additions);
  const changed = await changeProducts(tx, importer, [...changes, ...late]);
  const outcomes: ImportedRow[] = [...faulty.map((fault) => ({ ...fault, status: 'invalid' as const })), ...created, ...changed];
  const count = (status: ImportedRow['status']) => outcomes.filter((outcome) => outcome.status === status).length;
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    invalid: count('invalid'),
    rows: outcomes.toSorted((a, b) => a.row - b.row),
  };
}

/** Sorts rows into new products, changes of existing ones, and faulty rows. */
async function sortRows(tx: Tx, programId: string, rows: readonly (ProductRow | FaultyRow)[]) {
  const externalIds = rows.flatMap((row) => ('fields' in row ? row.externalId : []));
  const present = await lockProducts(tx, programId, externalIds);
  const parsed = rows.map((row) => ('fields' in row ? parseRow(row, present.get(row.externalId)) : row));
  const groupIds = parsed.flatMap((row) => ('given' in row ? (row.given.allowedGroupIds ?? []) : []));
  const unknownGroups = await findStrangeGroups(tx, programId, groupIds);
  const additions: Addition[] = [];
  const changes: Change[] = [];
  const faulty: FaultyRow[] = [];
  const firstRows = new Map<string, number>();
  for (const row of parsed) {
    const fault = 'given' in row ? findConflict(row, firstRows, unknownGroups) : row;
    if (fault) {
      faulty.push(fault);
      continue;
    }
    if ('given' in row) firstRows.set(row.given.externalId, row.row);
    if ('before' in row) changes.push(row);
    else if ('given' in row) additions.push(row);
  }
  return { additions, changes, faulty };
}

function parseRow(row: ProductRow, before: Present | undefined): Addition | Change | FaultyRow {
  try {
    return before ? { row: row.row, before, given: parseChange(row) } : { row: row.row, given: parseNewProduct(row) };
  } catch (error) {
    if (error instanceof Invalid) return { row: row.row, details: error.details ?? [] };
    throw error;
  }
}

/** A fault that only shows beside other rows: a repeated product, or a group that was not found. */
function findConflict(
  { row, given }: Addition | Change,
  firstRows: ReadonlyMap<string, number>,
  unknownGroups: ReadonlySet<string>,
): FaultyRow | null {
  const fault = (field: string, message: string): FaultyRow => ({ row, details: [{ path: [field], message }] });
  if (given.allowedGroupIds?.some((id) => unknownGroups.has(id)))
    return fault('allowedGroupIds', 'contains a group that was not found in this program');
  const firstRow = firstRows.get(given.externalId);
  return firstRow === undefined ? null : fault('externalId', `repeats row ${firstRow}`);
}

/** Products by external id, locked in one order so that two imports can't wait for each other. */
async function lockProducts(tx: Tx, programId: string, externalIds: readonly string[]): Promise<Map<string, Present>> {
  if (externalIds.length === 0) return new Map();
  const products = tx.db.selectFrom('products').selectAll().where('programId', '=', programId).where('externalId', 'in', externalIds);
  const rows = await products.orderBy('id').forNoKeyUpdate().execute();
  const ids = rows.map(({ id }) => id);
  const groups = await groupsOf(tx, programId, ids);
  return new Map(rows.map((row) => [row.externalId ?? '', { ...row, allowedGroupIds: groups.get(row.id) ?? [] }]));
}

/** Adds products. Those that a concurrent request added meanwhile are returned as `late`, to be updated. */
async function addProducts(
  tx: Tx,
  importer: Importer,
  additions: readonly Addition[],
): Promise<{ created: ImportedRow[]; late: Change[] }> {
  if (additions.length === 0) return { created: [], late: [] };
  const { programId } = importer;
  const rows = additions
    .map((addition) => ({ ...addition, product: newRow(tx, programId, addition.given) }))
    .sort((a, b) => (a.given.externalId < b.given.externalId ? -1 : 1));
  const inserted = await tx.db
    .insertInto('products')
    .values(rows.map(({ product }) => product))
    .onConflict((conflict) => conflict.columns(['programId', 'externalId']).doNothing())
    .returning('id')
    .execute();
  const ids = new Set(inserted.map(({ id }) => id));
  const [added, rest] = [rows.filter(({ product }) => ids.has(product.id)), rows.filter(({ product }) => !ids.has(product.id))];
  const restricted = added.filter(({ given }) => given.allowedGroupIds?.length);
  await restrictTo(tx, programId, new Map(restricted.map(({ product, given }) => [product.id, given.allowedGroupIds ?? []])));
  const audited = added.map(({ product, given }) => ({ action: 'product.created' as const, subjectId: product.id, after: given }));
  await recordChanges(tx, { programId, actor: importer }, audited);
  const names = rest.map(({ given }) => given.externalId);
  const present = await lockProducts(tx, programId, names);
  const late = rest.flatMap(({ row, given }) => {
    const before = present.get(given.externalId);
    return before ? [{ row, before, given }] : [];
  });
  return { created: added.map(({ row, product }) => ({ row, status: 'created', id: product.id })), late };
}

/** Updates locked products to the values of their rows. */
async function changeProducts(tx: Tx, importer: Importer, changes: readonly Change[]): Promise<ImportedRow[]> {
  const { programId } = importer;
  const now = tx.clock.now();
  const differing = changes.flatMap(({ before, given }) => {
    const change = difference(before, given);
    if (!change) return [];
    const { allowedGroupIds: present, ...row } = before;
    const { allowedGroupIds, ...fields } = change.after;
    const after = { ...row, ...fields };
    return [{ id: before.id, change, allowedGroupIds, product: { ...after, search: searchText(after), updatedAt: now } }];
  });
  await overwrite(
    tx,
    differing.map(({ product }) => product),
  );
  const regrouped = differing.flatMap(({ id, allowedGroupIds }) => (allowedGroupIds ? [[id, allowedGroupIds] as const] : []));
  await restrictTo(tx, programId, new Map(regrouped));
  const audited = differing.map(({ id, change }) => ({ action: 'product.updated' as const, subjectId: id, ...change }));
  await recordChanges(tx, { programId, actor: importer }, audited);
  const updated = new Set(differing.map(({ id }) => id));
  return changes.map(({ row, before: { id } }) => ({ row, status: updated.has(id) ? 'updated' : 'unchanged', id }));
}

/** Overwrites locked rows in one statement. */
async function overwrite(tx: Tx, products: Selectable<Products>[]): Promise<void> {
  if (products.length === 0) return;
  await tx.db
    .insertInto('products')
    .values(products)
    .onConflict((conflict) =>
      conflict.columns(['programId', 'id']).doUpdateSet((set) => ({
        sku: set.ref('excluded.sku'),
        name: set.ref('excluded.name'),
        description: set.ref('excluded.description'),
        category: set.ref('excluded.category'),
        brand: set.ref('excluded.brand'),
        imageUrl: set.ref('excluded.imageUrl'),
        priceCents: set.ref('excluded.priceCents'),
        compareAtPriceCents: set.ref('excluded.compareAtPriceCents'),
        checkoutUrl: set.ref('excluded.checkoutUrl'),
        status: set.ref('excluded.status'),
        availability: set.ref('excluded.availability'),
        search: set.ref('excluded.search'),
        updatedAt: set.ref('excluded.updatedAt'),
      })),
    )
    .execute();
}
