// The groups that a product is restricted to.
import type { Context, Tx } from '../../context.ts';
import { NotFound } from '../../platform/lib/errors.ts';

/** The ids among these that are not groups of the program. The groups that exist are locked until the commit. */
export async function findUnknownGroups(tx: Tx, programId: string, groupIds: readonly string[]): Promise<Set<string>> {
  const requested = new Set(groupIds);
  if (requested.size === 0) return requested;
  const groups = tx.db.selectFrom('groups').select('id').where('programId', '=', programId);
  const found = await groups
    .where('id', 'in', [...requested])
    .forKeyShare()
    .execute();
  return requested.difference(new Set(found.map(({ id }) => id)));
}

/** Rejects groups of other programs (404 naming the field), before anything is written. */
export async function requireGroups(tx: Tx, programId: string, groupIds: readonly string[] = []): Promise<void> {
  if ((await findUnknownGroups(tx, programId, groupIds)).size > 0) throw new NotFound('allowedGroupIds');
}

/** Replaces the groups of each of these products. */
export async function replaceAllowedGroups(
  tx: Tx,
  programId: string,
  groupsByProduct: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  if (groupsByProduct.size === 0) return;
  const previous = tx.db.deleteFrom('productGroups').where('programId', '=', programId);
  await previous.where('productId', 'in', [...groupsByProduct.keys()]).execute();
  const rows = [...groupsByProduct].flatMap(([productId, groupIds]) => groupIds.map((groupId) => ({ programId, productId, groupId })));
  if (rows.length > 0) await tx.db.insertInto('productGroups').values(rows).execute();
}

/** The group ids of each product, in one query, ordered by id. */
export async function findAllowedGroups(
  ctx: Pick<Context, 'db'>,
  programId: string,
  productIds: readonly string[],
): Promise<Map<string, string[]>> {
  const groups = new Map<string, string[]>(productIds.map((id) => [id, []]));
  if (productIds.length === 0) return groups;
  const rows = await ctx.db
    .selectFrom('productGroups')
    .select(['productId', 'groupId'])
    .where('programId', '=', programId)
    .where('productId', 'in', productIds)
    .orderBy('groupId')
    .execute();
  for (const { productId, groupId } of rows) groups.get(productId)?.push(groupId);
  return groups;
}
