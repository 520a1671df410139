// A product of the brand, and the tiers it is restricted to.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../context.ts';
import type { Products } from '../db/schema.gen.ts';
import { cents, centsOut, line, paragraph, timestampOut, uuid, uuidOut, webAddress } from '../http/fields.ts';
import { idSlot } from '../http/id-slot.ts';
import { NotFound } from '../lib/errors.ts';

export const ProductStatus = z.enum(['active', 'draft', 'archived']).meta({ id: 'ProductStatus' });

export const ProductShape = z
  .object({
    id: uuidOut,
    externalId: z.string().nullable().describe("The shop's own id of the product."),
    name: z.string(),
    description: z.string().nullable(),
    category: z.string().nullable(),
    imageUrl: z.string().nullable(),
    priceCents: centsOut,
    checkoutUrl: z.string(),
    status: ProductStatus.describe('Only active products appear on pages.'),
    allowedGroupIds: z.array(uuidOut).describe('Groups that may promote it; empty means everybody.'),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({ id: 'Product' });

export const productFields = {
  externalId: line(200).nullable().optional(),
  name: line(200),
  description: paragraph(5000).nullable().optional(),
  category: line(100).nullable().optional(),
  imageUrl: webAddress.nullable().optional(),
  priceCents: cents,
  checkoutUrl: webAddress,
  status: ProductStatus.optional(),
  allowedGroupIds: z.array(uuid).max(100).optional(),
};

export const productSlot = idSlot('products', 'The id of the product.');

/** Refuses groups that aren't the program's (404 naming the field), before anything is written. */
export async function requireGroups(tx: Tx, programId: string, groupIds: readonly string[] | undefined): Promise<void> {
  if (!groupIds?.length) return;
  const wanted = new Set(groupIds);
  const found = await tx.db
    .selectFrom('groups')
    .select('id')
    .where('programId', '=', programId)
    .where('id', 'in', [...wanted])
    .forKeyShare()
    .execute();
  if (found.length !== wanted.size) throw new NotFound('allowedGroupIds');
}

/** Makes `groupIds` the only groups that may promote the product. */
export async function restrictTo(tx: Tx, programId: string, productId: string, groupIds: readonly string[]): Promise<void> {
  await tx.db.deleteFrom('productGroups').where('programId', '=', programId).where('productId', '=', productId).execute();
  const rows = [...new Set(groupIds)].map((groupId) => ({ programId, productId, groupId }));
  if (rows.length > 0) await tx.db.insertInto('productGroups').values(rows).execute();
}

export function toProduct(row: Selectable<Products>, allowedGroupIds: string[]): z.input<typeof ProductShape> {
  return {
    ...row,
    status: ProductStatus.parse(row.status),
    allowedGroupIds,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The groups of each product, in one query. */
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
