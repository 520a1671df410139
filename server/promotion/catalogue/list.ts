import { z } from 'zod';
import { anywhere, searchField } from '../../accounts/programs/search.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, line, page } from '../../platform/http/declaration/fields.ts';
import { groupsOf, ProductShape, ProductStatus, toProduct } from './product.ts';

const Query = z.object({
  status: ProductStatus.optional(),
  category: line(100).optional().describe('Exactly this category.'),
  search: searchField('Part of the name, the external id or the SKU'),
  ...page,
});

export const listProducts = endpoint({
  id: 'products.list',
  route: 'GET /v1/programs/:programId/products',
  scope: 'read',
  tag: 'Products',
  summary: 'List products',
  description: 'Newest first.',
  query: Query,
  statuses: [200],
  result: z.object({ products: z.array(ProductShape), total: countOut, limit: countOut, offset: countOut }).meta({ id: 'ProductList' }),
  async handle(ctx, { actor, query: { status, category, search, limit, offset } }) {
    let products = ctx.db.selectFrom('products').where('programId', '=', actor.programId);
    if (status) products = products.where('status', '=', status);
    if (category) products = products.where('category', '=', category);
    if (search) products = products.where('search', 'like', anywhere(search));
    const { total } = await products.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await products.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute();
    const groups = await groupsOf(
      ctx,
      actor.programId,
      rows.map(({ id }) => id),
    );
    return { products: rows.map((row) => toProduct(row, groups.get(row.id) ?? [])), total, limit, offset };
  },
});
