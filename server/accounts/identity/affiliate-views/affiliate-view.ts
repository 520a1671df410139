// Members who view the portal as an affiliate. A view belongs to one session and program, is read-only, and expires.
import type { Context } from '../../../context.ts';
import type { Permission } from '../../../platform/http/declaration/permissions.ts';
import type { AffiliatePrincipal, UserPrincipal } from '../../../platform/http/declaration/principal.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { readInPrograms } from '../../programs/person-programs.ts';
import { findMember } from '../members/find-member.ts';

/** How long a view lasts. */
export const viewMs = 30 * 60_000;

/** A member needs one of these permissions for as long as a view lasts. */
export const viewPermissions = ['affiliates.write', 'commissions.write'] as const satisfies readonly Permission[];

/** Whether these permissions of a member are enough for a view. */
export function mayView(permissions: ReadonlySet<Permission>): boolean {
  return viewPermissions.some((permission) => permissions.has(permission));
}

/** The affiliate as whom the session views the portal of a program; null without a view or the permission for it. */
export async function findViewedAffiliate(ctx: Context, user: UserPrincipal, programId: string): Promise<AffiliatePrincipal | null> {
  if (user.siteProgramId !== null) return null;
  const viewed = await ctx.db
    .selectFrom('affiliateViews as view')
    .innerJoin('affiliates', (join) => join.on('affiliates.programId', '=', programId).onRef('affiliates.id', '=', 'view.affiliateId'))
    .select(['view.affiliateId', 'affiliates.status'])
    .where('view.programId', '=', programId)
    .where('view.sessionId', '=', user.sessionId)
    .where('view.expiresAt', '>', systemTime(ctx))
    .executeTakeFirst();
  if (!viewed) return null;
  const member = await findMember(ctx, user, programId);
  if (!member || !mayView(member.permissions)) return null;
  return { ...user, programId, currency: member.currency, affiliateId: viewed.affiliateId, affiliateStatus: viewed.status };
}

/** The views of a session that have not expired, in these programs. */
export async function listAffiliateViews(ctx: Pick<Context, 'db' | 'clock'>, sessionId: string, programIds: readonly string[]) {
  const found = await readInPrograms(ctx, programIds, (db, programId) =>
    db
      .selectFrom('affiliateViews as view')
      .innerJoin('affiliates', (join) => join.on('affiliates.programId', '=', programId).onRef('affiliates.id', '=', 'view.affiliateId'))
      .select(['view.programId', 'view.affiliateId', 'view.expiresAt', 'affiliates.status', 'affiliates.firstName', 'affiliates.lastName'])
      .where('view.programId', '=', programId)
      .where('view.sessionId', '=', sessionId)
      .where('view.expiresAt', '>', systemTime(ctx))
      .executeTakeFirst(),
  );
  return found.flatMap((view) => view ?? []);
}
