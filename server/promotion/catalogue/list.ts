import { sql } from 'kysely';
import { z } from 'zod';
import { containsWords, searchField } from '../../accounts/programs/search.ts';
import { findGroupReferences } from '../../partners/affiliates/group-reference.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { line, uuid } from '../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, expandable, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { findAllowedGroups } from './allowed-groups.ts';
import { Availability, ProductShape, ProductStatus, toProduct } from './product.ts';

export const listProducts = endpoint({
  id: 'products.list',
  route: 'GET /v1/programs/:programId/products',
  scope: 'read',
  tag: 'Products',
  summary: 'List products',
  query: z.object({
    status: oneOf(ProductStatus),
    availability: oneOf(Availability),
    category: line(100).optional().describe('Only products in this category (exact match).'),
    externalId: line(200).optional(),
    sku: line(100).optional(),
    allowedGroupId: uuid.optional().describe('Only products whose `allowedGroupIds` include this group.'),
    search: searchField('Matches part of the name, external id or SKU'),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt', 'name', 'priceCents', 'updatedAt'),
    expand: expandable('allowedGroups'),
  }),
  statuses: [200],
  result: cursorListOf('products', ProductShape, 'ProductList'),
  async handle(ctx, { actor: { programId, currency }, query }) {
    const { status, availability, category, externalId, sku, allowedGroupId, search, limit, offset } = query;
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
    products = products.where(withinRange('createdAt', query.createdFrom, query.createdTo));
    const { rows, total, nextCursor } = await findPage(products, query, (found) => found.selectAll());
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
