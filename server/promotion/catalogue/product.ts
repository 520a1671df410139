// A product of the brand, and the tiers it is restricted to.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import type { Products } from '../../platform/db/schema.gen.ts';
import { cents, centsOut, line, paragraph, timestampOut, uuid, uuidOut, webAddress } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { foldCase } from '../../platform/lib/text.ts';

export const ProductStatus = z.enum(['active', 'draft', 'archived']).meta({ id: 'ProductStatus' });
export const Availability = z.enum(['in_stock', 'out_of_stock', 'preorder', 'discontinued']).meta({ id: 'ProductAvailability' });

export const ProductShape = z
  .object({
    id: uuidOut,
    externalId: z.string().nullable().describe("The shop's own id of the product."),
    sku: z.string().nullable(),
    name: z.string(),
    description: z.string().nullable(),
    category: z.string().nullable(),
    brand: z.string().nullable(),
    imageUrl: z.string().nullable(),
    priceCents: centsOut,
    compareAtPriceCents: centsOut.nullable().describe('The usual price, where the present one is lower.'),
    checkoutUrl: z.string(),
    status: ProductStatus.describe('Only active products appear on pages and in feeds.'),
    availability: Availability,
    allowedGroupIds: z.array(uuidOut).describe('Groups that may promote it; empty means everybody.'),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({ id: 'Product' });

export const productFields = {
  externalId: line(200).nullable().optional(),
  sku: line(100).nullable().optional(),
  name: line(200),
  description: paragraph(5000).nullable().optional(),
  category: line(100).nullable().optional(),
  brand: line(100).nullable().optional(),
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

export const productSlot = idSlot('products', 'The id of the product.');

/** The row of a new product, with what is assumed where nothing is said. */
export function newRow(tx: Tx, programId: string, { allowedGroupIds: _, ...fields }: NewProduct): Selectable<Products> {
  const now = tx.clock.now();
  const row = {
    externalId: fields.externalId ?? null,
    sku: fields.sku ?? null,
    name: fields.name,
    description: fields.description ?? null,
    category: fields.category ?? null,
    brand: fields.brand ?? null,
    imageUrl: fields.imageUrl ?? null,
    priceCents: fields.priceCents,
    compareAtPriceCents: fields.compareAtPriceCents ?? null,
    checkoutUrl: fields.checkoutUrl,
    status: fields.status ?? 'active',
    availability: fields.availability ?? 'in_stock',
  };
  return { programId, id: tx.ids.uuid(), ...row, search: searchText(row), createdAt: now, updatedAt: now };
}

/** What the list searches. The separator can't be typed, so a match never spans two fields. */
export function searchText({ name, externalId, sku }: Pick<Selectable<Products>, 'name' | 'externalId' | 'sku'>): string {
  return foldCase([name, externalId ?? '', sku ?? ''].join('\u001f'));
}

/** Which of these groups aren't the program's. Those that are stay there until the commit. */
export async function findStrangeGroups(tx: Tx, programId: string, groupIds: readonly string[]): Promise<Set<string>> {
  const wanted = new Set(groupIds);
  if (wanted.size === 0) return wanted;
  const groups = tx.db.selectFrom('groups').select('id').where('programId', '=', programId);
  const found = await groups
    .where('id', 'in', [...wanted])
    .forKeyShare()
    .execute();
  return wanted.difference(new Set(found.map(({ id }) => id)));
}

/** Refuses groups that aren't the program's (404 naming the field), before anything is written. */
export async function requireGroups(tx: Tx, programId: string, groupIds: readonly string[] = []): Promise<void> {
  if ((await findStrangeGroups(tx, programId, groupIds)).size > 0) throw new NotFound('allowedGroupIds');
}

/** Makes these groups, by product, the only ones that may promote the products. */
export async function restrictTo(tx: Tx, programId: string, groupsByProduct: ReadonlyMap<string, readonly string[]>): Promise<void> {
  if (groupsByProduct.size === 0) return;
  const former = tx.db.deleteFrom('productGroups').where('programId', '=', programId);
  await former.where('productId', 'in', [...groupsByProduct.keys()]).execute();
  const rows = [...groupsByProduct].flatMap(([productId, groupIds]) => groupIds.map((groupId) => ({ programId, productId, groupId })));
  if (rows.length > 0) await tx.db.insertInto('productGroups').values(rows).execute();
}

export function toProduct(row: Selectable<Products>, allowedGroupIds: string[]): z.input<typeof ProductShape> {
  return {
    ...row,
    status: ProductStatus.parse(row.status),
    availability: Availability.parse(row.availability),
    allowedGroupIds,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The groups of each product, in one query, in the order of their ids. */
export async function groupsOf(ctx: Pick<Context, 'db'>, programId: string, productIds: readonly string[]): Promise<Map<string, string[]>> {
  const groups = new Map<string, string[]>(productIds.map((id) => [id, []]));
  if (productIds.length === 0) return groups;
  const rows = await ctx.db
    .selectFrom('productGroups')
    .select(['productId', 'groupId'])
    .where('programId', '=', programId)
    .where('productId', 'in', productIds)
    .orderBy('groupId')
    .execute();
  for (const { productId, groupId } of rows) groups.get(productId)?.push(groupId);
  return groups;
}
