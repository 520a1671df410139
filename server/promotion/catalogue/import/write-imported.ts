// Writing imported products: one statement per kind of row, whatever their number.
import type { Selectable } from 'kysely';
import type { Tx } from '../../../context.ts';
import { difference } from '../../../platform/audit/difference.ts';
import { recordChanges } from '../../../platform/audit/record.ts';
import type { Products } from '../../../platform/db/schema.gen.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { findAllowedGroups, replaceAllowedGroups } from '../allowed-groups.ts';
import { buildProductRow, buildSearchText } from '../product.ts';
import type { AddedProduct, ChangedProduct } from './imported-product.ts';

export type ExistingProduct = Selectable<Products> & { allowedGroupIds: string[] };
export type NewProductRow = { row: number; fields: AddedProduct };
export type Change = { row: number; before: ExistingProduct; fields: ChangedProduct };
type Written = { row: number; status: 'created' | 'updated' | 'unchanged'; id: string };
/** The actor of an import, and the program whose catalogue it changes. */
export type Importer = Actor & { programId: string };

/** Products by external id, locked in the order of their ids so that two imports can't deadlock. */
export async function lockProducts(tx: Tx, programId: string, externalIds: readonly string[]): Promise<Map<string, ExistingProduct>> {
  if (externalIds.length === 0) return new Map();
  const products = tx.db.selectFrom('products').selectAll().where('programId', '=', programId).where('externalId', 'in', externalIds);
  const rows = await products.orderBy('id').forNoKeyUpdate().execute();
  const ids = rows.map(({ id }) => id);
  const groups = await findAllowedGroups(tx, programId, ids);
  return new Map(rows.map((row) => [row.externalId ?? '', { ...row, allowedGroupIds: groups.get(row.id) ?? [] }]));
}

/** Adds products. Those that another transaction added in the meantime are returned as `late` changes. */
export async function addProducts(
  tx: Tx,
  importer: Importer,
  additions: readonly NewProductRow[],
): Promise<{ created: Written[]; late: Change[] }> {
  if (additions.length === 0) return { created: [], late: [] };
  const { programId } = importer;
  const rows = additions
    .map((addition) => ({ ...addition, product: buildProductRow(tx, programId, addition.fields) }))
    .sort((a, b) => (a.fields.externalId < b.fields.externalId ? -1 : 1));
  const inserted = await tx.db
    .insertInto('products')
    .values(rows.map(({ product }) => product))
    .onConflict((conflict) => conflict.columns(['programId', 'externalId']).doNothing())
    .returning('id')
    .execute();
  const ids = new Set(inserted.map(({ id }) => id));
  const [added, rest] = [rows.filter(({ product }) => ids.has(product.id)), rows.filter(({ product }) => !ids.has(product.id))];
  const restricted = added.filter(({ fields }) => fields.allowedGroupIds?.length);
  await replaceAllowedGroups(tx, programId, new Map(restricted.map(({ product, fields }) => [product.id, fields.allowedGroupIds ?? []])));
  const audited = added.map(({ product, fields }) => ({ action: 'product.created' as const, subjectId: product.id, after: fields }));
  await recordChanges(tx, { programId, actor: importer }, audited);
  const externalIds = rest.map(({ fields }) => fields.externalId);
  const existing = await lockProducts(tx, programId, externalIds);
  const late = rest.flatMap(({ row, fields }) => {
    const before = existing.get(fields.externalId);
    return before ? [{ row, before, fields }] : [];
  });
  return { created: added.map(({ row, product }) => ({ row, status: 'created', id: product.id })), late };
}

/** Applies the rows to locked products. */
export async function changeProducts(tx: Tx, importer: Importer, changes: readonly Change[]): Promise<Written[]> {
  const { programId } = importer;
  const now = tx.clock.now();
  const updates = changes.flatMap(({ before, fields }) => {
    const change = difference(before, fields);
    if (!change) return [];
    const { allowedGroupIds: _, ...row } = before;
    const { allowedGroupIds, ...changed } = change.after;
    const after = { ...row, ...changed };
    return [{ id: before.id, change, allowedGroupIds, product: { ...after, search: buildSearchText(after), updatedAt: now } }];
  });
  await overwriteProducts(
    tx,
    updates.map(({ product }) => product),
  );
  const regrouped = updates.flatMap(({ id, allowedGroupIds }) => (allowedGroupIds ? [[id, allowedGroupIds] as const] : []));
  await replaceAllowedGroups(tx, programId, new Map(regrouped));
  const audited = updates.map(({ id, change }) => ({ action: 'product.updated' as const, subjectId: id, ...change }));
  await recordChanges(tx, { programId, actor: importer }, audited);
  const updated = new Set(updates.map(({ id }) => id));
  return changes.map(({ row, before: { id } }) => ({ row, status: updated.has(id) ? 'updated' : 'unchanged', id }));
}

/** Overwrites rows that exist and are locked, in one statement. */
async function overwriteProducts(tx: Tx, products: Selectable<Products>[]): Promise<void> {
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
