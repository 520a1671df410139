import { z } from 'zod';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { replaceAllowedGroups, requireGroups } from './allowed-groups.ts';
import { buildProductRow, ProductShape, productExists, productFields, toProduct, unknownAllowedGroup } from './product.ts';

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
  errors: [unknownAllowedGroup, productExists],
  async handle(tx, { actor, body }) {
    const { programId, currency } = actor;
    const { allowedGroupIds = [] } = body;
    await requireGroups(tx, programId, allowedGroupIds);
    const product = buildProductRow(tx, programId, body);
    await tx.db.insertInto('products').values(product).execute();
    await replaceAllowedGroups(tx, programId, new Map([[product.id, allowedGroupIds]]));
    await recordChange(tx, { programId, actor, action: 'product.created', subjectId: product.id, after: body });
    return toProduct(product, { currency, allowedGroupIds });
  },
});
