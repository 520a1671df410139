// In which organizations a user can create programs: those in which they are an owner or admin. An organization without
// members, such as one created by `tributary program create`, is managed by the owners of its programs.
import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { lockRoles, toRoles } from '../members/find-member.ts';
import { listMemberships } from '../members/list-programs.ts';
import { permissionsOf } from '../roles.ts';

export type CreatingOrganization = {
  id: string;
  name: string;
  /** A program of the organization that the user owns, without a role in the organization; null with such a role. */
  ownedProgramId: string | null;
};

const required = 'members.write';

/** The organizations by name. */
export async function listCreatingOrganizations({ db }: Pick<Context, 'db'>, userId: string): Promise<CreatingOrganization[]> {
  const owned = (await listMemberships({ db }, userId)).filter(({ held }) => held.includes('owner'));
  const ids = owned.map(({ organizationId }) => organizationId);
  const { rows } = await sql<{ id: string; name: string; role: string | null }>`
    select organization.id, organization.name, member.role
    from organizations as organization
    left join organization_members as member on member.organization_id = organization.id and member.user_id = ${userId}
    where member.user_id is not null or (organization.id = any(${ids}::uuid[]) and not exists (
      select from organization_members as other where other.organization_id = organization.id))
    order by organization.name, organization.id`.execute(db);
  return rows
    .filter(({ role }) => role === null || permissionsOf(toRoles([role])).has(required))
    .map(({ id, name, role }) => {
      const program = role === null ? owned.find(({ organizationId }) => organizationId === id) : undefined;
      return { id, name, ownedProgramId: program?.id ?? null };
    });
}

/** Whether the user still has the role that permits it; it can't be withdrawn until the transaction ends. */
export async function lockCreatingRole(tx: Tx, userId: string, { id, ownedProgramId }: CreatingOrganization): Promise<boolean> {
  if (ownedProgramId !== null) return (await lockRoles(tx, userId, ownedProgramId)).includes('owner');
  const member = await tx.db
    .selectFrom('organizationMembers')
    .select('role')
    .where('organizationId', '=', id)
    .where('userId', '=', userId)
    .forShare()
    .executeTakeFirst();
  return permissionsOf(toRoles([member?.role])).has(required);
}
