import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { findProgramIds, registerPerson } from '../../programs/person-programs.ts';
import { RoleField } from '../members/member.ts';
import type { User } from '../users/user.ts';

/**
 * Makes a user a member of the programs that invited their address. Call it only after the user has proved that the address
 * is theirs. Returns the programs that were joined. A role that the user has already is kept.
 */
export async function acceptInvitations(tx: Tx, { id: userId, emailKey }: Pick<User, 'id' | 'emailKey'>): Promise<string[]> {
  const now = systemTime(tx);
  const programIds = await findProgramIds(tx, { kind: 'invited', person: emailKey });
  const joined: string[] = [];
  for (const programId of programIds) {
    const accepted = await tx.db
      .updateTable('memberInvitations')
      .set({ acceptedAt: now })
      .where('programId', '=', programId)
      .where('emailKey', '=', emailKey)
      .where('acceptedAt', 'is', null)
      .where('revokedAt', 'is', null)
      .where('expiresAt', '>', now)
      .returning(['role', 'invitedBy'])
      .executeTakeFirst();
    if (!accepted) continue;
    const { role, invitedBy } = accepted;
    const member = await tx.db
      .insertInto('programMembers')
      .values({ programId, userId, role: RoleField.parse(role), createdAt: now, roleSince: now, roleGivenBy: invitedBy })
      .onConflict((conflict) => conflict.columns(['programId', 'userId']).doNothing())
      .returning('userId')
      .executeTakeFirst();
    if (!member) continue;
    await registerPerson(tx, { kind: 'member', person: userId }, programId);
    await recordChange(tx, { programId, actor: { kind: 'user', id: userId }, action: 'member.joined', subjectId: userId, after: { role } });
    joined.push(programId);
  }
  return joined;
}
