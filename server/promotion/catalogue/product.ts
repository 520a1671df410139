// A product of the program, and the groups it is restricted to.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { toVersion, versionExample, versionOut } from '../../accounts/programs/version.ts';
import type { Context, Tx } from '../../context.ts';
import { GroupReference } from '../../partners/affiliates/group-reference.ts';
import type { Products } from '../../platform/db/schema.gen.ts';
import {
  cents,
  centsOut,
  currencyOut,
  line,
  logged,
  paragraph,
  timestampOut,
  uuid,
  uuidOut,
  webAddress,
} from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { foldAccents } from '../../platform/lib/text.ts';

export const ProductStatus = z.enum(['active', 'draft', 'archived']).meta({ id: 'ProductStatus' });
export const Availability = z.enum(['in_stock', 'out_of_stock', 'preorder', 'discontinued']).meta({ id: 'ProductAvailability' });

export const ProductShape = z
  .object({
    id: uuidOut,
    externalId: z.string().nullable().describe("The product's id in the store."),
    sku: z.string().nullable(),
    name: z.string(),
    description: z.string().nullable(),
    category: z.string().nullable(),
    brand: z.string().nullable(),
    imageUrl: z.string().nullable(),
    priceCents: centsOut,
    compareAtPriceCents: centsOut.nullable().describe('The regular price, if `priceCents` is a reduced price.'),
    currency: currencyOut,
    checkoutUrl: z.string(),
    status: ProductStatus.describe('Only active products appear on landing pages and in feeds.'),
    availability: Availability,
    allowedGroupIds: z.array(uuidOut).describe('The groups that may promote the product; empty means all affiliates.'),
    allowedGroups: z.array(GroupReference).optional().describe('Included with `?expand=allowedGroups`.'),
    version: versionOut,
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({
    id: 'Product',
    example: {
      id: '01980a4e-9c11-7d20-8b42-5e6f7a8b9c0d',
      externalId: 'tea-1',
      sku: 'TEA-SLEEP-20',
      name: 'Sleep tea',
      description: 'Valerian, lemon balm and lavender; 20 bags.',
      category: 'Teas',
      brand: 'Fern & Field',
      imageUrl: 'https://shop.example/images/sleep-tea.jpg',
      priceCents: 1490,
      compareAtPriceCents: null,
      currency: 'USD',
      checkoutUrl: 'https://shop.example/cart/sleep-tea',
      status: 'active',
      availability: 'in_stock',
      allowedGroupIds: ['01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f'],
      version: versionExample,
      createdAt: '2026-11-02T09:30:00.000Z',
      updatedAt: '2026-11-02T09:30:00.000Z',
    },
  });

export const productFields = {
  externalId: logged(line(200)).nullable().optional().describe("The product's id in the store; unique in the program."),
  sku: logged(line(100)).nullable().optional(),
  name: logged(line(200)),
  description: paragraph(5000).nullable().optional(),
  category: logged(line(100)).nullable().optional(),
  brand: logged(line(100)).nullable().optional(),
  imageUrl: webAddress.nullable().optional(),
  priceCents: cents,
  compareAtPriceCents: cents.nullable().optional(),
  checkoutUrl: webAddress,
  status: ProductStatus.optional(),
  availability: Availability.optional(),
  allowedGroupIds: z
    .array(uuid)
    .max(100)
    .transform((ids) => [...new Set(ids)].sort())
    .optional()
    .meta({ json: { type: 'array', maxItems: 100, items: { type: 'string', format: 'uuid' } } }),
};

const NewProduct = z.object(productFields);
export type NewProduct = z.output<typeof NewProduct>;

export const ProductUpdate = z
  .object(productFields)
  .partial()
  .meta({ id: 'ProductUpdate', example: { status: 'archived' } });

export const productExists = {
  status: 409,
  code: 'product_exists',
  when: 'A product with this `externalId` already exists in the program.',
} as const;
export const unknownAllowedGroup = {
  status: 404,
  code: 'not_found',
  when: 'An id in `allowedGroupIds` was not found in this program.',
} as const;

export const productSlot = idSlot('products', 'The id of the product.');

/** The row of a new product, with defaults for omitted fields. */
export function buildProductRow(tx: Tx, programId: string, product: NewProduct): Selectable<Products> {
  const now = tx.clock.now();
  const { externalId = null, sku = null, name } = product;
  return {
    programId,
    id: tx.ids.uuid(),
    externalId,
    sku,
    name,
    description: product.description ?? null,
    category: product.category ?? null,
    brand: product.brand ?? null,
    imageUrl: product.imageUrl ?? null,
    priceCents: product.priceCents,
    compareAtPriceCents: product.compareAtPriceCents ?? null,
    checkoutUrl: product.checkoutUrl,
    status: product.status ?? 'active',
    availability: product.availability ?? 'in_stock',
    search: buildSearchText({ name, externalId, sku }),
    lastSyncedAt: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** The text that the list searches. The separator can't be typed, so a match never spans two fields. */
export function buildSearchText({ name, externalId, sku }: Pick<Selectable<Products>, 'name' | 'externalId' | 'sku'>): string {
  return foldAccents([name, externalId ?? '', sku ?? ''].join('\u001f'));
}

type Details = { currency: string; allowedGroupIds: string[]; allowedGroups?: z.input<typeof GroupReference>[] | undefined };

export function toProduct(row: Selectable<Products>, { currency, allowedGroupIds, allowedGroups }: Details): z.input<typeof ProductShape> {
  return {
    ...row,
    currency,
    status: ProductStatus.parse(row.status),
    availability: Availability.parse(row.availability),
    allowedGroupIds,
    allowedGroups,
    version: versionOf(row, allowedGroupIds),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The version of the fields of a product that can be edited. */
export function versionOf(row: Selectable<Products>, allowedGroupIds: readonly string[]): string {
  const { externalId, sku, name, description, category, brand, status, availability } = row;
  const { imageUrl, priceCents, compareAtPriceCents, checkoutUrl } = row;
  return toVersion([
    [externalId, sku, name, description, category, brand, status, availability],
    [imageUrl, priceCents, compareAtPriceCents, checkoutUrl, [...allowedGroupIds].sort()],
  ]);
}

/** The product with its groups. Throws when it does not exist; the path was checked before. */
export async function readProduct(ctx: Pick<Context, 'db'>, programId: string, id: string): Promise<Selectable<Products>> {
  const products = ctx.db.selectFrom('products').selectAll().where('programId', '=', programId);
  return products.where('id', '=', id).executeTakeFirstOrThrow();
}

/** A product as other objects show it with `?expand=product`. */
export const ProductReference = z
  .object({ id: uuidOut, name: z.string(), sku: z.string().nullable(), externalId: z.string().nullable() })
  .meta({ id: 'ProductReference' });

type ProductReferenceShape = z.input<typeof ProductReference>;

/** References to products by id, for `?expand=product`; one query, or none where nothing is expanded. */
export async function findProductReferences(
  ctx: Pick<Context, 'db'>,
  programId: string,
  ids: readonly string[],
): Promise<Map<string, ProductReferenceShape>> {
  if (ids.length === 0) return new Map();
  const products = ctx.db.selectFrom('products').select(['id', 'name', 'sku', 'externalId']).where('programId', '=', programId);
  const rows = await products.where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}
