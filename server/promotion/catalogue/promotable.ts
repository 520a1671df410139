// The products that an affiliate may promote: active ones that are unrestricted or allowed for the affiliate's group.
// An affiliate without a group may promote unrestricted products only.
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { pageRows } from '../../platform/http/load/long-response.ts';

const columns = [
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

/** The query parameter that carries the referral code to the store. */
const referralParameter = 'ref';

/** Active products that the affiliate may promote, newest first; only those in `ids`, if given. */
export async function findPromotable(ctx: Pick<Context, 'db'>, promoter: Promoter, ids?: readonly string[]) {
  if (ids?.length === 0) return [];
  const products = selectPromotable(ctx, promoter);
  return (ids ? products.where('product.id', 'in', [...ids]) : products).execute();
}

/** As `findPromotable`, in pages, since a catalogue can be of any size. */
export async function* promotablePages(ctx: Pick<Context, 'db'>, promoter: Promoter) {
  let page = await selectPromotable(ctx, promoter).limit(pageRows).execute();
  for (;;) {
    const last = page.at(-1);
    if (!last) return;
    yield page;
    if (page.length < pageRows) return;
    page = await selectPromotable(ctx, promoter)
      .where(
        sql<boolean>`(product.created_at, product.id) < (select created_at, id from products where program_id = ${promoter.programId} and id = ${last.id})`,
      )
      .limit(pageRows)
      .execute();
  }
}

function selectPromotable(ctx: Pick<Context, 'db'>, { programId, groupId }: Promoter) {
  return ctx.db
    .selectFrom('products as product')
    .select(columns)
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
    })
    .orderBy('product.createdAt', 'desc')
    .orderBy('product.id', 'desc');
}

/** The checkout URL with the affiliate's referral code; other query parameters are preserved. */
export function addReferral(checkoutUrl: string, referralCode: string): string {
  const url = new URL(checkoutUrl);
  url.searchParams.set(referralParameter, referralCode);
  return url.href;
}
