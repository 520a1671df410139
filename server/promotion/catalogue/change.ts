// Changes the fields of a product, or archives it.
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { requireVersion } from '../../accounts/programs/version.ts';
import type { Tx } from '../../context.ts';
import { difference } from '../../platform/audit/difference.ts';
import { recordChange } from '../../platform/audit/record.ts';
import type { Products } from '../../platform/db/schema.gen.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { findAllowedGroups, replaceAllowedGroups, requireGroups } from './allowed-groups.ts';
import { buildSearchText, type ProductUpdate, versionOf } from './product.ts';

type ProductChange = z.output<typeof ProductUpdate> & { id: string };
type Options = { seenVersion?: string | undefined };
type Changed = { product: Selectable<Products>; allowedGroupIds: string[] };

/** Changes the given fields of a product. Throws NotFound, Outdated, and a conflict for a taken external id. */
export async function changeProduct(
  tx: Tx,
  actor: Actor & { programId: string },
  { id, ...given }: ProductChange,
  { seenVersion }: Options = {},
): Promise<Changed> {
  const { programId } = actor;
  await requireGroups(tx, programId, given.allowedGroupIds);
  const products = tx.db.selectFrom('products').selectAll().where('programId', '=', programId);
  const before = await products.where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();
  const allowedGroupIds = (await findAllowedGroups(tx, programId, [id])).get(id) ?? [];
  const object = { programId, id, version: versionOf(before, allowedGroupIds), noun: 'product', code: 'stale_product' };
  await requireVersion(tx, object, seenVersion);
  const change = difference({ ...before, allowedGroupIds }, given);
  if (!change) return { product: before, allowedGroupIds };
  const { allowedGroupIds: newGroupIds, ...fields } = change.after;
  const after = { ...before, ...fields, updatedAt: tx.clock.now() };
  await tx.db
    .updateTable('products')
    .set({ ...fields, search: buildSearchText(after), updatedAt: after.updatedAt })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .execute();
  if (newGroupIds) await replaceAllowedGroups(tx, programId, new Map([[id, newGroupIds]]));
  await recordChange(tx, { programId, actor, action: 'product.updated', subjectId: id, ...change });
  return { product: after, allowedGroupIds: newGroupIds ?? allowedGroupIds };
}
