import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint, type Principal } from '../../platform/http/declaration/endpoint.ts';
import { replaceAllowedGroups, requireGroups } from './allowed-groups.ts';
import { buildProductRow, ProductShape, productExists, productFields, toProduct, unknownAllowedGroup } from './product.ts';

const NewProduct = z.object(productFields).meta({
  id: 'NewProduct',
  example: { name: 'Sleep tea', priceCents: 1490, checkoutUrl: 'https://shop.example/cart/sleep-tea' },
});
type NewProduct = z.output<typeof NewProduct>;

export const createProduct = endpoint({
  id: 'products.create',
  route: 'POST /v1/programs/:programId/products',
  scope: 'write',
  requires: 'terms.write',
  tag: 'Products',
  summary: 'Create a product',
  body: NewProduct,
  statuses: [201],
  result: ProductShape,
  errors: [unknownAllowedGroup, productExists],
  handle: (tx, { actor, body }) => addProduct(tx, actor, body),
});

/** Creates a product, with its audit entry. The unique external id decides between simultaneous requests. */
export async function addProduct(tx: Tx, actor: Principal, body: NewProduct) {
  const { programId, currency } = actor;
  const { allowedGroupIds = [] } = body;
  await requireGroups(tx, programId, allowedGroupIds);
  const product = buildProductRow(tx, programId, body);
  await tx.db.insertInto('products').values(product).execute();
  await replaceAllowedGroups(tx, programId, new Map([[product.id, allowedGroupIds]]));
  await recordChange(tx, { programId, actor, action: 'product.created', subjectId: product.id, after: body });
  return toProduct(product, { currency, allowedGroupIds });
}
