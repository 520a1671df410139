// A role in an organization applies to all its programs. Only members of the organization whose role there includes it may
// change one: an owner of a single program must not decide about the others.

import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import type { Principal } from '../../../platform/http/declaration/endpoint.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { InvalidState, PermissionRequired } from '../../../platform/lib/errors.ts';
import { lockPrograms } from '../../programs/lock-program.ts';
import { permissionsOf, type Role, rolesWith } from '../roles.ts';
import { toRoles } from './find-member.ts';
import { organizationRole, programRole } from './member.ts';
import { requireAnOwner } from './require-an-owner.ts';

type Change = { userId: string; role: Role | null };

/** Changes the role of a member in the organization of the program, or removes it; recorded in each of its programs. */
export async function changeOrganizationRole(tx: Tx, actor: Principal, { userId, role }: Change): Promise<void> {
  const { organizationId, programIds } = await lockAllPrograms(tx, actor.programId);
  const given = await lockRole(tx, { organizationId, userId: actor.id });
  if (!given || !permissionsOf([given]).has('members.write'))
    throw new InvalidState(organizationRole.code, 'Only owners and admins of the organization can change a role in it.');
  const before = await lockRole(tx, { organizationId, userId });
  if (!before) throw new InvalidState(programRole.code, 'This member has no role in the organization.');
  if ([before, role].includes('owner') && given !== 'owner')
    throw new PermissionRequired({ permission: 'owners.write', roles: rolesWith(['owners.write']), members: [] });
  if (before === role) return;
  await write(tx, { organizationId, userId, role, givenBy: actor.id });
  for (const programId of programIds) await requireAnOwner(tx, programId);
  const action = role === null ? 'member.removed' : 'member.updated';
  for (const programId of programIds) {
    const change = { programId, actor, action, subjectId: userId, before: { role: before, organizationId } } as const;
    await recordChange(tx, role === null ? change : { ...change, after: { role, organizationId } });
  }
}

/** Locks the programs of the organization: each needs an owner, by a role in it or in the organization, after the change. */
async function lockAllPrograms(tx: Tx, programId: string): Promise<{ organizationId: string; programIds: string[] }> {
  const program = tx.db.selectFrom('programs').select('organizationId').where('id', '=', programId);
  const { organizationId } = await program.executeTakeFirstOrThrow();
  const rows = await tx.db.selectFrom('programs').select('id').where('organizationId', '=', organizationId).orderBy('id').execute();
  const programIds = rows.map(({ id }) => id);
  await lockPrograms(tx, programIds);
  return { organizationId, programIds };
}

type Member = { organizationId: string; userId: string };

/** The role of a user in an organization, which can't change until the transaction ends. */
async function lockRole({ db }: Tx, { organizationId, userId }: Member): Promise<Role | undefined> {
  const members = db.selectFrom('organizationMembers').select('role').where('organizationId', '=', organizationId);
  const member = await members.where('userId', '=', userId).forUpdate().executeTakeFirst();
  return toRoles([member?.role])[0];
}

async function write({ db, clock }: Tx, { organizationId, userId, role, givenBy }: Member & Change & { givenBy: string }): Promise<void> {
  if (role === null) {
    await db.deleteFrom('organizationMembers').where('organizationId', '=', organizationId).where('userId', '=', userId).execute();
    return;
  }
  const change = { role, roleSince: systemTime({ clock }), roleGivenBy: givenBy };
  const members = db.updateTable('organizationMembers').set(change).where('organizationId', '=', organizationId);
  await members.where('userId', '=', userId).execute();
}
