// What an affiliate may promote: active products, and of those restricted to tiers only the ones of the
// affiliate's own group. An affiliate without a group sees unrestricted products only (decision).
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../context.ts';

const shown = [
  'product.id',
  'product.externalId',
  'product.sku',
  'product.name',
  'product.description',
  'product.category',
  'product.brand',
  'product.imageUrl',
  'product.priceCents',
  'product.compareAtPriceCents',
  'product.checkoutUrl',
  'product.availability',
] as const;

type Promoter = { programId: string; groupId: string | null };

/** The query parameter by which a shop knows who sent the visitor. */
const referralParameter = 'ref';

/** Active products that the affiliate may promote, newest first; only these ids, where some are named. */
export async function findPromotable(ctx: Pick<Context, 'db'>, { programId, groupId }: Promoter, ids?: readonly string[]) {
  if (ids?.length === 0) return [];
  let products = ctx.db
    .selectFrom('products as product')
    .select(shown)
    .where('product.programId', '=', programId)
    .where('product.status', '=', 'active')
    .where((where): Expression<SqlBool> => {
      const restrictions = where
        .selectFrom('productGroups as restriction')
        .select('restriction.groupId')
        .where('restriction.programId', '=', programId)
        .whereRef('restriction.productId', '=', 'product.id');
      const open = where.not(where.exists(restrictions));
      return groupId === null ? open : where.or([open, where.exists(restrictions.where('restriction.groupId', '=', groupId))]);
    });
  if (ids) products = products.where('product.id', 'in', [...ids]);
  return products.orderBy('product.createdAt', 'desc').orderBy('product.id', 'desc').execute();
}

/** The shop's checkout address with the affiliate's code on it; what is there already stays. */
export function referredUrl(checkoutUrl: string, referralCode: string): string {
  const url = new URL(checkoutUrl);
  url.searchParams.set(referralParameter, referralCode);
  return url.href;
}
