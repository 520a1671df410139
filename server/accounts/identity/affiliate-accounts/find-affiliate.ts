import type { Context } from '../../../context.ts';
import type { AffiliatePrincipal, UserPrincipal } from '../../../platform/http/declaration/principal.ts';

/** The user as an affiliate of a program; null if the user is not one of its affiliates. */
export async function findAffiliate(ctx: Context, user: UserPrincipal, programId: string): Promise<AffiliatePrincipal | null> {
  const found = await ctx.db
    .selectFrom('affiliateAccounts as account')
    .innerJoin('affiliates', (join) => join.on('affiliates.programId', '=', programId).onRef('affiliates.id', '=', 'account.affiliateId'))
    .innerJoin('programs', 'programs.id', 'account.programId')
    .select(['currency', 'account.affiliateId', 'affiliates.status'])
    .where('account.programId', '=', programId)
    .where('account.userId', '=', user.id)
    .where('programs.deleteAfter', 'is', null)
    .executeTakeFirst();
  if (!found) return null;
  return { ...user, programId, currency: found.currency, affiliateId: found.affiliateId, affiliateStatus: found.status };
}

/** The programs that a user is an affiliate of, by name. */
export async function listAffiliateAccounts(ctx: Pick<Context, 'db'>, userId: string) {
  return ctx.db
    .selectFrom('affiliateAccounts as account')
    .innerJoin('affiliates', (join) =>
      join.onRef('affiliates.programId', '=', 'account.programId').onRef('affiliates.id', '=', 'account.affiliateId'),
    )
    .innerJoin('programs', 'programs.id', 'account.programId')
    .leftJoin('programBrands as brand', 'brand.programId', 'account.programId')
    .select([
      'programs.id as programId',
      'programs.name',
      'programs.slug',
      'brand.logoUrl',
      'currency',
      'timezone',
      'account.affiliateId',
      'affiliates.status',
    ])
    .where('account.userId', '=', userId)
    .where('programs.deleteAfter', 'is', null)
    .orderBy('programs.name')
    .orderBy('programs.id')
    .execute();
}
