import { z } from 'zod';
import { outdatedError, readVersion, requireVersion, versionHint } from '../../accounts/programs/version.ts';
import { difference } from '../../platform/audit/difference.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { findAllowedGroups, replaceAllowedGroups, requireGroups } from './allowed-groups.ts';
import {
  buildSearchText,
  ProductShape,
  productExists,
  productFields,
  productSlot,
  toProduct,
  unknownAllowedGroup,
  versionOf,
} from './product.ts';

export const updateProduct = endpoint({
  id: 'products.update',
  route: 'PATCH /v1/programs/:programId/products/:id',
  scope: 'write',
  requires: 'terms.write',
  tag: 'Products',
  summary: 'Update a product',
  description:
    'Omitted fields keep their value. `allowedGroupIds` replaces the whole list. ' +
    `With status \`archived\`, the product disappears from landing pages and feeds. ${versionHint}`,
  path: { id: productSlot },
  body: z
    .object(productFields)
    .partial()
    .meta({ id: 'ProductUpdate', example: { status: 'archived' } }),
  statuses: [200],
  result: ProductShape,
  errors: [unknownAllowedGroup, productExists, outdatedError('stale_product', 'product')],
  async handle(tx, { actor, caller, params: { id }, body }) {
    const { programId, currency } = actor;
    await requireGroups(tx, programId, body.allowedGroupIds);
    const products = tx.db.selectFrom('products').selectAll().where('programId', '=', programId);
    const before = await products.where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();
    const allowedGroupIds = (await findAllowedGroups(tx, programId, [id])).get(id) ?? [];
    const object = { programId, id, version: versionOf(before, allowedGroupIds), noun: 'product', code: 'stale_product' };
    await requireVersion(tx, object, readVersion(caller.headers['if-match']));
    const change = difference({ ...before, allowedGroupIds }, body);
    if (!change) return toProduct(before, { currency, allowedGroupIds });
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
    return toProduct(after, { currency, allowedGroupIds: newGroupIds ?? allowedGroupIds });
  },
});
