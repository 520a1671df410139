// Writing imported products: however many they are, each kind of row is one statement.
import type { Selectable } from 'kysely';
import type { Tx } from '../../context.ts';
import { difference } from '../../platform/audit/difference.ts';
import { recordChanges } from '../../platform/audit/record.ts';
import type { Products } from '../../platform/db/schema.gen.ts';
import type { Principal } from '../../platform/http/declaration/endpoint.ts';
import type { ImportedProduct, NewImport } from './import-rows.ts';
import { groupsOf, newRow, restrictTo, searchText } from './product.ts';

export type Present = Selectable<Products> & { allowedGroupIds: string[] };
export type Addition = { row: number; given: NewImport };
export type Change = { row: number; before: Present; given: ImportedProduct };
type Written = { row: number; status: 'created' | 'updated' | 'unchanged'; id: string };

/** Products by external id, locked in one order so that two imports can't wait for each other. */
export async function lockProducts(tx: Tx, programId: string, externalIds: readonly string[]): Promise<Map<string, Present>> {
  if (externalIds.length === 0) return new Map();
  const products = tx.db.selectFrom('products').selectAll().where('programId', '=', programId).where('externalId', 'in', externalIds);
  const rows = await products.orderBy('id').forNoKeyUpdate().execute();
  const ids = rows.map(({ id }) => id);
  const groups = await groupsOf(tx, programId, ids);
  return new Map(rows.map((row) => [row.externalId ?? '', { ...row, allowedGroupIds: groups.get(row.id) ?? [] }]));
}

/** Adds products. Those that somebody else added meanwhile come back as `late`, to be changed. */
export async function addProducts(
  tx: Tx,
  actor: Principal,
  additions: readonly Addition[],
): Promise<{ created: Written[]; late: Change[] }> {
  if (additions.length === 0) return { created: [], late: [] };
  const { programId } = actor;
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
  await recordChanges(tx, { programId, actor }, audited);
  const names = rest.map(({ given }) => given.externalId);
  const present = await lockProducts(tx, programId, names);
  const late = rest.flatMap(({ row, given }) => {
    const before = present.get(given.externalId);
    return before ? [{ row, before, given }] : [];
  });
  return { created: added.map(({ row, product }) => ({ row, status: 'created', id: product.id })), late };
}

/** Changes locked products to what their rows say. */
export async function changeProducts(tx: Tx, actor: Principal, changes: readonly Change[]): Promise<Written[]> {
  const { programId } = actor;
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
  await recordChanges(tx, { programId, actor }, audited);
  const updated = new Set(differing.map(({ id }) => id));
  return changes.map(({ row, before: { id } }) => ({ row, status: updated.has(id) ? 'updated' : 'unchanged', id }));
}

/** Rows that are there and locked take these values. */
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
