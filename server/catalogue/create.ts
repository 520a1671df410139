import { z } from 'zod';
import { recordChange } from '../audit/record.ts';
import { endpoint } from '../http/endpoint.ts';
import { groupsOf, ProductShape, productFields, requireGroups, restrictTo, toProduct } from './product.ts';

export const createProduct = endpoint({
  id: 'products.create',
  route: 'POST /v1/programs/:programId/products',
  scope: 'write',
  tag: 'Products',
  summary: 'Create a product',
  body: z.object(productFields).meta({
    id: 'NewProduct',
    example: { name: 'Sleep tea', priceCents: 1490, checkoutUrl: 'https://shop.example/cart/sleep-tea' },
  }),
  statuses: [201],
  result: ProductShape,
  refusals: { 404: '`allowedGroupIds` names a group that is not in this program.', 409: 'A product with this `externalId` exists.' },
  async handle(tx, { actor, body: { allowedGroupIds = [], ...fields } }) {
    const { programId } = actor;
    await requireGroups(tx, programId, allowedGroupIds);
    const now = tx.clock.now();
    const product = await tx.db
      .insertInto('products')
      .values({
        programId,
        id: tx.ids.uuid(),
        externalId: fields.externalId ?? null,
        name: fields.name,
        description: fields.description ?? null,
        category: fields.category ?? null,
        imageUrl: fields.imageUrl ?? null,
        priceCents: fields.priceCents,
        checkoutUrl: fields.checkoutUrl,
        status: fields.status ?? 'active',
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await restrictTo(tx, programId, product.id, allowedGroupIds);
    await recordChange(tx, {
      programId,
      doer: { kind: 'api_key', id: actor.keyId },
      action: 'product.created',
      subjectId: product.id,
      after: { ...fields, allowedGroupIds },
    });
    const groups = await groupsOf(tx, programId, [product.id]);
    return toProduct(product, groups.get(product.id) ?? []);
  },
});
