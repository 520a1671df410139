// The products of a program. The list of the API and the console's table select them by the same filters.
import { sql } from 'kysely';
import { z } from 'zod';
import { containsWords, searchField } from '../../accounts/programs/search.ts';
import type { Context } from '../../context.ts';
import { findGroupReferences } from '../../partners/affiliates/group-reference.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { line, uuid } from '../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, expandable, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { findAllowedGroups } from './allowed-groups.ts';
import { Availability, ProductShape, ProductStatus, toProduct } from './product.ts';

/** What a list of products can be filtered by. */
export const productFilters = {
  status: oneOf(ProductStatus),
  availability: oneOf(Availability),
  category: line(100).optional().describe('Only products in this category (exact match).'),
  externalId: line(200).optional(),
  sku: line(100).optional(),
  allowedGroupId: uuid.optional().describe('Only products whose `allowedGroupIds` include this group.'),
  search: searchField('Matches part of the name, external id or SKU'),
  ...timeRange('created'),
};
const Filters = z.object(productFilters);

/** The products of a program that the filters select. */
export function selectProducts(ctx: Pick<Context, 'db'>, programId: string, query: z.output<typeof Filters>) {
  const { status, availability, category, externalId, sku, allowedGroupId, search } = query;
  let products = ctx.db.selectFrom('products').where('programId', '=', programId);
  if (status) products = products.where('status', 'in', status);
  if (availability) products = products.where('availability', 'in', availability);
  if (category) products = products.where('category', '=', category);
  if (externalId) products = products.where('externalId', '=', externalId);
  if (sku) products = products.where('sku', '=', sku);
  if (allowedGroupId) {
    const restricted = ctx.db.selectFrom('productGroups').select('productId').where('programId', '=', programId);
    products = products.where('id', 'in', restricted.where('groupId', '=', allowedGroupId));
  }
  if (search) products = products.where(containsWords(sql`search`, search));
  return products.where(withinRange('createdAt', query.createdFrom, query.createdTo));
}

export const listProducts = endpoint({
  id: 'products.list',
  route: 'GET /v1/programs/:programId/products',
  scope: 'read',
  tag: 'Products',
  summary: 'List products',
  query: z.object({
    ...productFilters,
    ...cursorPage,
    sort: sortBy('createdAt', 'name', 'priceCents', 'updatedAt'),
    expand: expandable('allowedGroups'),
  }),
  statuses: [200],
  result: cursorListOf('products', ProductShape, 'ProductList'),
  async handle(ctx, { actor: { programId, currency }, query }) {
    const { limit, offset } = query;
    const { rows, total, nextCursor } = await findPage(selectProducts(ctx, programId, query), query, (found) => found.selectAll());
    const ids = rows.map(({ id }) => id);
    const groupIds = await findAllowedGroups(ctx, programId, ids);
    const isExpanded = query.expand.has('allowedGroups');
    const groups = await findGroupReferences(ctx, programId, isExpanded ? [...new Set([...groupIds.values()].flat())] : []);
    const shown = rows.map((row) => {
      const allowedGroupIds = groupIds.get(row.id) ?? [];
      const allowedGroups = isExpanded ? allowedGroupIds.flatMap((id) => groups.get(id) ?? []) : undefined;
      return toProduct(row, { currency, allowedGroupIds, allowedGroups });
    });
    return { products: shown, total, limit, offset, nextCursor };
  },
});
