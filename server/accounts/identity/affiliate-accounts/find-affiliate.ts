import type { Context } from '../../../context.ts';
import type { AffiliatePrincipal, UserPrincipal } from '../../../platform/http/declaration/principal.ts';
import { findProgramIds, readInPrograms } from '../../programs/person-programs.ts';

/** The user as an affiliate of a program; null if the user is not one of its affiliates. */
export async function findAffiliate(ctx: Context, user: UserPrincipal, programId: string): Promise<AffiliatePrincipal | null> {
  if (user.siteProgramId !== null && user.siteProgramId !== programId) return null;
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
  const programIds = await findProgramIds(ctx, { kind: 'account', person: userId });
  const found = await readInPrograms(ctx, programIds, (db, programId) =>
    db
      .selectFrom('affiliateAccounts as account')
      .innerJoin('affiliates', (join) => join.on('affiliates.programId', '=', programId).onRef('affiliates.id', '=', 'account.affiliateId'))
      .innerJoin('programs', 'programs.id', 'account.programId')
      .leftJoin('programBrands as brand', (join) => join.on('brand.programId', '=', programId))
      .select(['programs.id as programId', 'programs.name', 'programs.slug', 'brand.logoUrl', 'currency', 'timezone'])
      .select(['account.affiliateId', 'affiliates.status'])
      .where('account.programId', '=', programId)
      .where('account.userId', '=', userId)
      .where('programs.deleteAfter', 'is', null)
      .executeTakeFirst(),
  );
  // In the order of their ids, which remains for equal names.
  return found.flatMap((account) => account ?? []).sort((a, b) => a.name.localeCompare(b.name));
}
