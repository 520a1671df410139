// The console's table of products: the filters of the list of products, with what its columns show.
import { z } from 'zod';
import { findGroupReferences } from '../../partners/affiliates/group-reference.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, currencyOut, page, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, findPage, sortBy } from '../../platform/http/declaration/lists.ts';
import { findAllowedGroups } from './allowed-groups.ts';
import { productFilters, selectProducts } from './list.ts';
import { Availability, ProductStatus } from './product.ts';

const ProductRow = z
  .object({
    id: uuidOut,
    externalId: z.string().nullable(),
    sku: z.string().nullable(),
    name: z.string(),
    category: z.string().nullable(),
    imageUrl: z.string().nullable(),
    priceCents: centsOut,
    currency: currencyOut,
    status: ProductStatus,
    availability: Availability,
    allowedGroupNames: z.array(z.string()).describe('The groups that may promote the product; empty means all affiliates.'),
    lastSyncedAt: timestampOut.nullable().describe('When a store last returned the product; null if none did.'),
    updatedAt: timestampOut,
  })
  .meta({
    id: 'ProductRow',
    example: {
      id: '01980a4e-9c11-7d20-8b42-5e6f7a8b9c0d',
      externalId: 'tea-1',
      sku: 'TEA-SLEEP-20',
      name: 'Sleep tea',
      category: 'Teas',
      imageUrl: 'https://shop.example/images/sleep-tea.jpg',
      priceCents: 1490,
      currency: 'USD',
      status: 'active',
      availability: 'in_stock',
      allowedGroupNames: ['Gold'],
      lastSyncedAt: '2026-11-21T10:00:00.000Z',
      updatedAt: '2026-11-02T09:30:00.000Z',
    },
  });

const columns = [
  'id',
  'externalId',
  'sku',
  'name',
  'category',
  'imageUrl',
  'priceCents',
  'status',
  'availability',
  'lastSyncedAt',
  'createdAt',
  'updatedAt',
] as const;

export const listProductTable = endpoint({
  id: 'productTable.list',
  route: 'GET /app/programs/:programId/products',
  scope: 'read',
  isUserOnly: true,
  tag: 'Products',
  summary: 'List products as a table shows them',
  description: 'The same products as the list of the API, without what only the details of a product show.',
  query: z.object({ ...productFilters, ...page, cursor: cursorPage.cursor, sort: sortBy('createdAt', 'name', 'priceCents', 'updatedAt') }),
  statuses: [200],
  result: cursorListOf('products', ProductRow, 'ProductTable'),
  async handle(ctx, { actor: { programId, currency }, query }) {
    const { limit, offset } = query;
    const { rows, total, nextCursor } = await findPage(selectProducts(ctx, programId, query), query, (found) => found.select([...columns]));
    const ids = rows.map(({ id }) => id);
    const groupIds = await findAllowedGroups(ctx, programId, ids);
    const groups = await findGroupReferences(ctx, programId, [...new Set([...groupIds.values()].flat())]);
    const products = rows.map((row) => ({
      ...row,
      currency,
      status: ProductStatus.parse(row.status),
      availability: Availability.parse(row.availability),
      allowedGroupNames: (groupIds.get(row.id) ?? []).flatMap((id) => groups.get(id)?.name ?? []),
      lastSyncedAt: row.lastSyncedAt?.toISOString() ?? null,
      updatedAt: row.updatedAt.toISOString(),
    }));
    return { products, total, limit, offset, nextCursor };
  },
});
