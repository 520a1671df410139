// The programs that a user is a member of, directly or through an organization.
import type { Context } from '../../../context.ts';
import { type Role, strongestOf } from '../roles.ts';
import { toRoles } from './find-member.ts';

/** Every program of a user with the roles held there, by name: the accessible ones, or those that will be deleted. */
export async function listMemberships({ db }: Pick<Context, 'db'>, userId: string, { areDeleting = false } = {}) {
  const rows = await db
    .selectFrom('programs')
    .leftJoin('programMembers as direct', (join) => join.onRef('direct.programId', '=', 'programs.id').on('direct.userId', '=', userId))
    .leftJoin('organizationMembers as whole', (join) =>
      join.onRef('whole.organizationId', '=', 'programs.organizationId').on('whole.userId', '=', userId),
    )
    .leftJoin('programBrands as brand', 'brand.programId', 'programs.id')
    .select(['programs.id', 'programs.name', 'slug', 'brand.logoUrl', 'mode', 'currency', 'timezone', 'programs.organizationId'])
    .select(['deletionRequestedAt', 'deleteAfter'])
    .select(['direct.role as programRole', 'whole.role as organizationRole'])
    .where((where) => where.or([where('direct.role', 'is not', null), where('whole.role', 'is not', null)]))
    .where('programs.deleteAfter', areDeleting ? 'is not' : 'is', null)
    .orderBy('programs.name')
    .orderBy('programs.id')
    .execute();
  return rows.map(({ programRole, organizationRole, ...program }) => {
    const held: Role[] = toRoles([programRole, organizationRole]);
    return { ...program, held, role: strongestOf(held) ?? ('viewer' as const) };
  });
}

/** The ids of the programs that a user is a member of. */
export async function listProgramIds(ctx: Pick<Context, 'db'>, userId: string): Promise<string[]> {
  return (await listMemberships(ctx, userId)).map(({ id }) => id);
}
