import type { Context } from '../../../context.ts';
import type { Permission } from '../../../platform/http/declaration/permissions.ts';
import { type Role, rolesWith } from '../roles.ts';

const maxNames = 5;

/** The roles that include one of these permissions, and the names of members who can grant it: those who manage members. */
export async function explainPermission(
  { db }: Pick<Context, 'db'>,
  programId: string,
  permissions: readonly Permission[],
): Promise<{ roles: Role[]; members: string[] }> {
  const granting = rolesWith(['members.write']);
  const direct = db.selectFrom('programMembers').select('userId').where('programId', '=', programId).where('role', 'in', granting);
  const whole = db
    .selectFrom('organizationMembers')
    .innerJoin('programs', 'programs.organizationId', 'organizationMembers.organizationId')
    .select('userId')
    .where('programs.id', '=', programId)
    .where('role', 'in', granting);
  const members = await db
    .selectFrom('users')
    .select('name')
    .where('id', 'in', direct.union(whole))
    .where('status', '=', 'active')
    .orderBy('name')
    .limit(maxNames)
    .execute();
  return { roles: rolesWith(permissions), members: members.map(({ name }) => name) };
}
