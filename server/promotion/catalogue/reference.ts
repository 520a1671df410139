import { z } from 'zod';
import type { Context } from '../../context.ts';
import { uuidOut } from '../../platform/http/declaration/fields.ts';

/** A product as other objects show it with `?expand=`. */
export const ProductReference = z
  .object({ id: uuidOut, name: z.string(), externalId: z.string().nullable() })
  .meta({ id: 'ProductReference' });

type Reference = z.input<typeof ProductReference>;

/** References to products by id, for `?expand=`; one query, or none where nothing is expanded. */
export async function findProductReferences(
  ctx: Pick<Context, 'db'>,
  programId: string,
  ids: readonly string[],
): Promise<Map<string, Reference>> {
  if (ids.length === 0) return new Map();
  const products = ctx.db.selectFrom('products').select(['id', 'name', 'externalId']).where('programId', '=', programId);
  const rows = await products.where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}
