import { z } from 'zod';
import { difference } from '../../platform/audit/difference.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { groupsOf, ProductShape, productFields, productSlot, requireGroups, restrictTo, searchText, toProduct } from './product.ts';

export const updateProduct = endpoint({
  id: 'products.update',
  route: 'PATCH /v1/programs/:programId/products/:id',
  scope: 'write',
  tag: 'Products',
  summary: 'Update a product',
  description: 'Omitted fields are left untouched. `allowedGroupIds` replaces the whole list. Status `archived` takes it off every page.',
  path: { id: productSlot },
  body: z
    .object(productFields)
    .partial()
    .meta({ id: 'ProductUpdate', example: { status: 'archived' } }),
  statuses: [200],
  result: ProductShape,
  refusals: {
    404: 'No such product, or `allowedGroupIds` names a group that is not in this program.',
    409: 'A product with this `externalId` exists.',
  },
  async handle(tx, { actor, params, body }) {
    const { programId } = actor;
    await requireGroups(tx, programId, body.allowedGroupIds);
    const product = tx.db.selectFrom('products').selectAll().where('programId', '=', programId).where('id', '=', params.id);
    const before = await product.forNoKeyUpdate().executeTakeFirstOrThrow();
    const allowedGroupIds = (await groupsOf(tx, programId, [before.id])).get(before.id) ?? [];
    const change = difference({ ...before, allowedGroupIds }, body);
    if (!change) return toProduct(before, allowedGroupIds);
    const { allowedGroupIds: groups, ...fields } = change.after;
    const after = { ...before, ...fields, updatedAt: tx.clock.now() };
    await tx.db
      .updateTable('products')
      .set({ ...fields, search: searchText(after), updatedAt: after.updatedAt })
      .where('programId', '=', programId)
      .where('id', '=', before.id)
      .execute();
    if (groups) await restrictTo(tx, programId, new Map([[before.id, groups]]));
    await recordChange(tx, { programId, actor, action: 'product.updated', subjectId: before.id, ...change });
    return toProduct(after, groups ?? allowedGroupIds);
  },
});
