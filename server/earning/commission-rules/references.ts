// What a rule or a version of it is for: the affiliate, group and product, for `?expand=`.
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { findGroupReferences } from '../../partners/affiliates/group-reference.ts';
import { findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import { expandable } from '../../platform/http/declaration/lists.ts';
import { findProductReferences } from '../../promotion/catalogue/product.ts';

export const expand = expandable('affiliate', 'group', 'product');

type Scoped = { affiliateId: string | null; groupId: string | null; productId: string | null };

/** The objects that were requested with `expand`, for each row. */
export async function findReferences(
  ctx: Pick<Context, 'db' | 'config'>,
  programId: string,
  rows: readonly Scoped[],
  wanted: z.output<typeof expand>,
) {
  const idsOf = (name: 'affiliate' | 'group' | 'product') => (wanted.has(name) ? rows.flatMap((row) => row[`${name}Id`] ?? []) : []);
  const affiliates = await findAffiliateReferences(ctx, programId, idsOf('affiliate'));
  const groups = await findGroupReferences(ctx, programId, idsOf('group'));
  const products = await findProductReferences(ctx, programId, idsOf('product'));
  return ({ affiliateId, groupId, productId }: Scoped) => ({
    affiliate: affiliates.get(affiliateId ?? ''),
    group: groups.get(groupId ?? ''),
    product: products.get(productId ?? ''),
  });
}
