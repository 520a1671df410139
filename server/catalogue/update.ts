import { z } from 'zod';
import { recordChange } from '../audit/record.ts';
import { endpoint } from '../http/endpoint.ts';
import { groupsOf, ProductShape, productFields, productSlot, requireGroups, restrictTo, toProduct } from './product.ts';

export const updateProduct = endpoint({
  id: 'products.update',
  route: 'PATCH /v1/programs/:programId/products/:id',
  scope: 'write',
  tag: 'Products',
  summary: 'Update a product',
  description: 'Omitted fields are left untouched. `allowedGroupIds` replaces the whole list.',
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
    const { allowedGroupIds, ...fields } = body;
    await requireGroups(tx, programId, allowedGroupIds);
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    const product = await tx.db
      .updateTable('products')
      .set({ ...given, updatedAt: tx.clock.now() })
      .where('programId', '=', programId)
      .where('id', '=', params.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (allowedGroupIds) await restrictTo(tx, programId, product.id, allowedGroupIds);
    await recordChange(tx, {
      programId,
      doer: { kind: 'api_key', id: actor.keyId },
      action: 'product.updated',
      subjectId: product.id,
      after: body,
    });
    const groups = await groupsOf(tx, programId, [product.id]);
    return toProduct(product, groups.get(product.id) ?? []);
  },
});
