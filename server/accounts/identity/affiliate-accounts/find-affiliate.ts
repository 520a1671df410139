import type { Context } from '../../../context.ts';
import type { AffiliatePrincipal, UserPrincipal } from '../../../platform/http/declaration/principal.ts';

/** The user as an affiliate of a program; null for one whose affiliate the user is not. Archived affiliates can't sign in. */
export async function findAffiliate(ctx: Context, user: UserPrincipal, programId: string): Promise<AffiliatePrincipal | null> {
  const found = await selectAccounts(ctx, user.id).where('account.programId', '=', programId).executeTakeFirst();
  if (!found) return null;
  return { ...user, programId, currency: found.currency, affiliateId: found.affiliateId, affiliateStatus: found.status };
}

/** The programs that a user is an affiliate of, by name. */
export async function listAffiliateAccounts(ctx: Pick<Context, 'db'>, userId: string) {
  return selectAccounts(ctx, userId).orderBy('programs.name').orderBy('programs.id').execute();
}

function selectAccounts({ db }: Pick<Context, 'db'>, userId: string) {
  return db
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
    .where('affiliates.status', '<>', 'archived');
}
