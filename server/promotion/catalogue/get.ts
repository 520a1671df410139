import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { groupsOf, ProductShape, productSlot, toProduct } from './product.ts';

export const getProduct = endpoint({
  id: 'products.get',
  route: 'GET /v1/programs/:programId/products/:id',
  scope: 'read',
  tag: 'Products',
  summary: 'Get a product',
  path: { id: productSlot },
  statuses: [200],
  result: ProductShape,
  async handle(ctx, { actor, params: { id } }) {
    const { programId } = actor;
    const products = ctx.db.selectFrom('products').selectAll().where('programId', '=', programId);
    const product = await products.where('id', '=', id).executeTakeFirstOrThrow();
    return toProduct(product, (await groupsOf(ctx, programId, [id])).get(id) ?? []);
  },
});
