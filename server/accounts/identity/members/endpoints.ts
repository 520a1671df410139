// The members of a program: listing them, changing their role, removing them. A program always has an owner.
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint, type Principal } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { exampleOf } from '../../../platform/http/openapi/schemas.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { releasePerson } from '../../programs/person-programs.ts';
import { roleWaitHours } from '../../programs/second-person/waiting.ts';
import type { Role } from '../roles.ts';
import { changeOrganizationRole } from './change-organization-role.ts';
import { findMembers, getMember, memberSlot } from './find-members.ts';
import { lastOwner, MemberShape, organizationRole, programRole, RoleField } from './member.ts';
import { requireOwnerRights } from './owner-rights.ts';
import { requireAnOwner } from './require-an-owner.ts';

const ScopeField = z
  .enum(['program', 'organization'])
  .describe(
    'Whether it is about the role in this program or about the one in its organization, which applies to all its programs. The latter ' +
      'needs a role of owner or admin in the organization.',
  );

export const listMembers = endpoint({
  id: 'members.list',
  route: 'GET /app/programs/:programId/members',
  scope: 'read',
  isUserOnly: true,
  tag: 'Members',
  summary: 'List the members of a program',
  description: 'Everyone who can sign in to the program: members of the program itself, and of its organization.',
  statuses: [200],
  result: z
    .object({ members: z.array(MemberShape), total: countOut })
    .meta({ id: 'MemberList', example: { members: [exampleOf(MemberShape)], total: 1 } }),
  async handle(ctx, { actor }) {
    const members = await findMembers(ctx, { programId: actor.programId, viewerId: actor.id });
    return { members, total: members.length };
  },
});

export const updateMember = endpoint({
  id: 'members.update',
  route: 'PATCH /app/programs/:programId/members/:userId',
  scope: 'write',
  requires: 'members.write',
  isSensitive: true,
  isUserOnly: true,
  tag: 'Members',
  summary: 'Change the role of a member',
  description:
    'Takes effect immediately. Only owners can make someone an owner, or change the role of an owner. With a new role, the member can ' +
    `approve what others requested after ${roleWaitHours} hours, or once another owner confirms them.`,
  path: { userId: memberSlot },
  body: z.object({ role: RoleField, scope: ScopeField.default('program') }).meta({ id: 'MemberUpdate', example: { role: 'finance' } }),
  statuses: [200],
  result: MemberShape,
  errors: [lastOwner, organizationRole, programRole],
  async handle(tx, { actor, params: { userId }, body: { role, scope } }) {
    if (scope === 'organization') await changeOrganizationRole(tx, actor, { userId, role });
    else await changeProgramRole(tx, actor, { userId, role });
    return getMember(tx, { programId: actor.programId, viewerId: actor.id, userId });
  },
});

async function changeProgramRole(tx: Tx, actor: Principal, { userId, role }: { userId: string; role: Role }): Promise<void> {
  const before = await lockDirectRole(tx, actor, userId);
  await requireOwnerRights(tx, actor, [before, role]);
  if (before !== role) {
    const given = { role, roleSince: systemTime(tx), roleGivenBy: actor.id };
    const members = tx.db.updateTable('programMembers').set(given).where('programId', '=', actor.programId);
    await members.where('userId', '=', userId).execute();
    await requireAnOwner(tx, actor.programId);
    await recordMember(tx, actor, { userId, action: 'member.updated', before, after: role });
  }
}

export const removeMember = endpoint({
  id: 'members.remove',
  route: 'DELETE /app/programs/:programId/members/:userId',
  scope: 'write',
  requires: 'members.write',
  isSensitive: true,
  isUserOnly: true,
  tag: 'Members',
  summary: 'Remove a member',
  description: 'Takes effect immediately. The user keeps their account and their other programs. Only owners can remove an owner.',
  path: { userId: memberSlot },
  query: z.object({ scope: ScopeField.default('program') }),
  statuses: [200],
  result: z.object({ userId: uuidOut }).meta({ id: 'RemovedMember', example: { userId: '01980a4c-22bb-7c1d-8e2f-3a4b5c6d7e8f' } }),
  errors: [lastOwner, organizationRole, programRole],
  async handle(tx, { actor, params: { userId }, query: { scope } }) {
    if (scope === 'organization') {
      await changeOrganizationRole(tx, actor, { userId, role: null });
      return { userId };
    }
    const before = await lockDirectRole(tx, actor, userId);
    await requireOwnerRights(tx, actor, [before]);
    const members = tx.db.deleteFrom('programMembers').where('programId', '=', actor.programId);
    await members.where('userId', '=', userId).execute();
    await releasePerson(tx, { kind: 'member', person: userId }, actor.programId);
    await requireAnOwner(tx, actor.programId);
    await recordMember(tx, actor, { userId, action: 'member.removed', before });
    return { userId };
  },
});

/** The role of a member in the program. The program's row is locked since the caller was checked (find-member.ts). */
async function lockDirectRole(tx: Tx, { programId }: Principal, userId: string): Promise<Role> {
  const member = await tx.db
    .selectFrom('programMembers')
    .select('role')
    .where('programId', '=', programId)
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (!member)
    throw new InvalidState(
      organizationRole.code,
      'This member has a role in the organization only; send `scope: organization` to change it.',
    );
  return RoleField.parse(member.role);
}

type Recorded = { userId: string; action: 'member.updated' | 'member.removed'; before: Role; after?: Role };

async function recordMember(tx: Tx, actor: Principal, { userId, action, before, after }: Recorded): Promise<void> {
  const change = { programId: actor.programId, actor, action, subjectId: userId, before: { role: before } } as const;
  await recordChange(tx, after === undefined ? change : { ...change, after: { role: after } });
}
