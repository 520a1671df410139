import { addMember, addOrganizationMember } from '../../accounts/identity/members/add-member.ts';
import type { Role } from '../../accounts/identity/roles.ts';
import { findOrCreateUser } from '../../accounts/identity/users/user.ts';
import type { Tx } from '../../context.ts';
import { members, programMember } from './data/demo-data.ts';

const actor = { kind: 'command' as const, id: 'demo' };

/** Creates the users of the demo, with their roles. Returns the ids of the organization's by role. */
export async function seedMembers(tx: Tx, programId: string): Promise<Record<(typeof members)[number]['role'], string>> {
  const { organizationId } = await tx.db
    .selectFrom('programs')
    .select('organizationId')
    .where('id', '=', programId)
    .executeTakeFirstOrThrow();
  const ids = new Map<Role, string>();
  for (const { name, email, role } of members) {
    const { user } = await findOrCreateUser(tx, { name, email });
    await addOrganizationMember(tx, { organizationId, userId: user.id, role, actor });
    ids.set(role, user.id);
  }
  const { user } = await findOrCreateUser(tx, programMember);
  await addMember(tx, { programId, userId: user.id, role: programMember.role, actor });
  return Object.fromEntries(ids) as Record<(typeof members)[number]['role'], string>;
}
