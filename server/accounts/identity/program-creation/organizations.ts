// In which organizations a user can create programs: those in which they are an owner or admin. An organization without
// members, as `tributary program create` makes it, is in the hands of the owners of its programs.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { toRoles } from '../members/find-member.ts';
import { permissionsOf } from '../roles.ts';

export type CreatingOrganization = {
  id: string;
  name: string;
  /** Whether the user has no role in the organization, and needs one in the new program. */
  needsRole: boolean;
};

type Row = { id: string; name: string; role: string | null };

/** The organizations by name. With `lock`, the roles that permit it can't be withdrawn until the transaction ends. */
export async function listCreatingOrganizations(
  { db }: Pick<Context, 'db'>,
  userId: string,
  { lock = false } = {},
): Promise<CreatingOrganization[]> {
  if (lock) {
    await sql`select from organization_members where user_id = ${userId} for share`.execute(db);
    await sql`select from program_members where user_id = ${userId} for share`.execute(db);
  }
  const { rows } = await sql<Row>`
    select organization.id, organization.name, member.role
    from organization_members as member join organizations as organization on organization.id = member.organization_id
    where member.user_id = ${userId}
    union
    select organization.id, organization.name, null
    from program_members as member
    join programs as program on program.id = member.program_id and program.delete_after is null
    join organizations as organization on organization.id = program.organization_id
    where member.user_id = ${userId} and member.role = 'owner' and not exists (
      select from organization_members as other where other.organization_id = organization.id)
    order by name, id`.execute(db);
  return rows
    .filter(({ role }) => role === null || permissionsOf(toRoles([role])).has('members.write'))
    .map(({ id, name, role }) => ({ id, name, needsRole: role === null }));
}
