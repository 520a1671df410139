import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { findAllowedGroups } from './allowed-groups.ts';
import { ProductShape, productSlot, readProduct, toProduct } from './product.ts';

export const getProduct = endpoint({
  id: 'products.get',
  route: 'GET /v1/programs/:programId/products/:id',
  scope: 'read',
  tag: 'Products',
  summary: 'Get a product',
  path: { id: productSlot },
  statuses: [200],
  result: ProductShape,
  async handle(ctx, { actor: { programId, currency }, params: { id } }) {
    const product = await readProduct(ctx, programId, id);
    const groups = await findAllowedGroups(ctx, programId, [id]);
    return toProduct(product, { currency, allowedGroupIds: groups.get(id) ?? [] });
  },
});
