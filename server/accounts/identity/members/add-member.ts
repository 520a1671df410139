// Gives users roles: in one program, or in an organization and thereby in all its programs.
import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import { registerPerson } from '../../programs/person-programs.ts';
import type { Role } from '../roles.ts';

type NewMember = { userId: string; role: Role; actor: Actor };

/** Gives a user a role in a program, replacing the one they had. False if they had this role already. */
export async function addMember(tx: Tx, { programId, userId, role, actor }: NewMember & { programId: string }): Promise<boolean> {
  const now = systemTime(tx);
  const changed = await tx.db
    .insertInto('programMembers')
    .values({ programId, userId, role, createdAt: now, roleSince: now })
    .onConflict((conflict) =>
      conflict
        .columns(['programId', 'userId'])
        .doUpdateSet({ role, roleSince: now, roleGivenBy: null })
        .where('programMembers.role', '<>', role),
    )
    .returning('userId')
    .executeTakeFirst();
  if (!changed) return false;
  await registerPerson(tx, { kind: 'member', person: userId }, programId);
  await recordChange(tx, { programId, actor, action: 'member.added', subjectId: userId, after: { role } });
  return true;
}

/** Like `addMember`, for all programs of an organization; recorded in each of them. Throws NotFound. */
export async function addOrganizationMember(
  tx: Tx,
  { organizationId, userId, role, actor }: NewMember & { organizationId: string },
): Promise<boolean> {
  const organizations = tx.db.selectFrom('organizations').select('id').where('id', '=', organizationId);
  if (!(await organizations.executeTakeFirst())) throw new NotFound();
  const now = systemTime(tx);
  const changed = await tx.db
    .insertInto('organizationMembers')
    .values({ organizationId, userId, role, createdAt: now, roleSince: now })
    .onConflict((conflict) =>
      conflict
        .columns(['organizationId', 'userId'])
        .doUpdateSet({ role, roleSince: now, roleGivenBy: null })
        .where('organizationMembers.role', '<>', role),
    )
    .returning('userId')
    .executeTakeFirst();
  if (!changed) return false;
  for (const { id } of await tx.db.selectFrom('programs').select('id').where('organizationId', '=', organizationId).execute())
    await recordChange(tx, { programId: id, actor, action: 'member.added', subjectId: userId, after: { role, organizationId } });
  return true;
}
