// An owner confirms a member who is new or has a new second factor, so that control of a mailbox is not enough to approve payouts.
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { type DeclaredError, endpoint, type Principal } from '../../../platform/http/declaration/endpoint.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { getMember, memberSlot } from './find-members.ts';
import { type Member, MemberShape } from './member.ts';

const anotherOwner: DeclaredError = {
  status: 400,
  code: 'another_owner_required',
  when: 'The caller is the member, has given them their new role, or became an owner recently.',
};

export const confirmMember = endpoint({
  id: 'members.confirm',
  route: 'POST /app/programs/:programId/members/:userId/confirm',
  scope: 'write',
  requires: 'owners.write',
  isSensitive: true,
  movesMoney: true,
  isUserOnly: true,
  tag: 'Members',
  summary: 'Confirm a member',
  description:
    'States that the member themselves has their role and their second factor, for example after a call. It ends the waiting times of ' +
    '`approvesFrom` and `paysFrom` in this program. It needs an owner other than the one who invited the member or changed their role.',
  path: { userId: memberSlot },
  body: z.object({}).meta({ id: 'ConfirmMember', example: {} }),
  statuses: [200],
  result: MemberShape,
  errors: [anotherOwner],
  async handle(tx, { actor, params: { userId } }) {
    const { programId } = actor;
    await requireAnotherOwner(tx, actor, await getMember(tx, { programId, viewerId: actor.id, userId }));
    const confirmed = { confirmedBy: actor.id, confirmedAt: systemTime(tx) };
    await tx.db
      .insertInto('memberConfirmations')
      .values({ programId, userId, ...confirmed })
      .onConflict((conflict) => conflict.columns(['programId', 'userId']).doUpdateSet(confirmed))
      .execute();
    await recordChange(tx, { programId, actor, action: 'member.confirmed', subjectId: userId });
    return getMember(tx, { programId, viewerId: actor.id, userId });
  },
});

/** One person can't confirm themselves through a second mailbox that they invited. */
async function requireAnotherOwner(tx: Tx, actor: Principal, { userId, approvesFrom }: Member): Promise<void> {
  if (actor.kind !== 'user' || userId === actor.id) throw new InvalidState(anotherOwner.code, 'Another owner must confirm you.');
  if (actor.approvesFrom)
    throw new InvalidState(anotherOwner.code, 'You became an owner recently. Another owner must confirm this member.');
  if (approvesFrom !== null && (await listGivers(tx, actor.programId, userId)).includes(actor.id))
    throw new InvalidState(anotherOwner.code, 'You gave this member their role, so another owner must confirm them.');
}

/** The users who gave a member their roles in the program and in its organization. */
async function listGivers({ db }: Tx, programId: string, userId: string): Promise<(string | null)[]> {
  const direct = db.selectFrom('programMembers').select('roleGivenBy').where('programId', '=', programId).where('userId', '=', userId);
  const whole = db
    .selectFrom('organizationMembers')
    .innerJoin('programs', 'programs.organizationId', 'organizationMembers.organizationId')
    .select('roleGivenBy')
    .where('programs.id', '=', programId)
    .where('userId', '=', userId);
  return (await direct.unionAll(whole).execute()).map(({ roleGivenBy }) => roleGivenBy);
}
