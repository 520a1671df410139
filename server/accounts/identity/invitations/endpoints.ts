// Inviting members by email: listing, creating, sending again, revoking.
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { toConflict } from '../../../platform/db/constraints.ts';
import { endpoint, type Principal } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { emailField, nameField } from '../../../platform/http/declaration/person-fields.ts';
import { exampleOf } from '../../../platform/http/openapi/schemas.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { Conflict, InvalidState, NotFound } from '../../../platform/lib/errors.ts';
import { registerPerson } from '../../programs/person-programs.ts';
import { RoleField } from '../members/member.ts';
import { requireOwnerRights } from '../members/owner-rights.ts';
import { findOpenInvitations, InvitationShape, invitationSlot, validForMs } from './invitation.ts';
import { notifyMemberInvitationJob } from './notify-job.ts';

const notOpen = {
  status: 400,
  code: 'invitation_not_open',
  when: 'The invitation was accepted or revoked.',
} as const;

export const listInvitations = endpoint({
  id: 'memberInvitations.list',
  route: 'GET /app/programs/:programId/member-invitations',
  scope: 'read',
  requires: 'members.write',
  isUserOnly: true,
  tag: 'Members',
  summary: 'List open invitations',
  statuses: [200],
  result: z
    .object({ memberInvitations: z.array(InvitationShape), total: countOut })
    .meta({ id: 'MemberInvitationList', example: { memberInvitations: [exampleOf(InvitationShape)], total: 1 } }),
  async handle(ctx, { actor: { programId } }) {
    const memberInvitations = await findOpenInvitations(ctx, { programId });
    return { memberInvitations, total: memberInvitations.length };
  },
});

export const inviteMember = endpoint({
  id: 'memberInvitations.create',
  route: 'POST /app/programs/:programId/member-invitations',
  scope: 'write',
  requires: 'members.write',
  isSensitive: true,
  isUserOnly: true,
  tag: 'Members',
  summary: 'Invite a member',
  description:
    'Sends an email. The invitation is accepted by signing in with this address within seven days. Only owners can invite owners.',
  body: z
    .object({ email: emailField, name: nameField, role: RoleField })
    .meta({ id: 'NewMemberInvitation', example: { email: 'tom@fernandfield.example', name: 'Tom Ruiz', role: 'finance' } }),
  statuses: [201],
  result: InvitationShape,
  errors: [
    { status: 409, code: 'invitation_exists', when: 'An invitation for this address is open. Send it again, or revoke it first.' },
    { status: 409, code: 'member_exists', when: 'The user with this address is a member of the program.' },
  ],
  async handle(tx, { actor, body }) {
    await requireOwnerRights(tx, actor, [body.role]);
    const key = emailKey(body.email) ?? '';
    await rejectMember(tx, actor.programId, key);
    const [id, now] = [tx.ids.uuid(), systemTime(tx)];
    const inserted = await tx.db
      .insertInto('memberInvitations')
      .values({
        programId: actor.programId,
        id,
        ...body,
        emailKey: key,
        invitedBy: actor.id,
        expiresAt: new Date(now.getTime() + validForMs),
        createdAt: now,
      })
      .onConflict((conflict) =>
        conflict.columns(['programId', 'emailKey']).where('acceptedAt', 'is', null).where('revokedAt', 'is', null).doNothing(),
      )
      .returning('id')
      .executeTakeFirst();
    if (!inserted) throw toConflict('member_invitations_open');
    await registerPerson(tx, { kind: 'invited', person: key }, actor.programId);
    await notify(tx, actor, { id, action: 'member_invitation.created', after: { email: body.email, role: body.role } });
    return readOpen(tx, actor, id);
  },
});

export const resendInvitation = endpoint({
  id: 'memberInvitations.resend',
  route: 'POST /app/programs/:programId/member-invitations/:id/resend',
  scope: 'write',
  requires: 'members.write',
  isUserOnly: true,
  tag: 'Members',
  summary: 'Send an invitation again',
  description: 'The invitation is valid for another seven days.',
  path: { id: invitationSlot },
  statuses: [200],
  result: InvitationShape,
  errors: [notOpen],
  async handle(tx, { actor, params: { id } }) {
    await updateOpen(tx, actor, { id, change: { expiresAt: new Date(systemTime(tx).getTime() + validForMs) } });
    await notify(tx, actor, { id, action: 'member_invitation.resent' });
    return readOpen(tx, actor, id);
  },
});

export const revokeInvitation = endpoint({
  id: 'memberInvitations.revoke',
  route: 'DELETE /app/programs/:programId/member-invitations/:id',
  scope: 'write',
  requires: 'members.write',
  isUserOnly: true,
  tag: 'Members',
  summary: 'Revoke an invitation',
  description: 'Its link no longer works.',
  path: { id: invitationSlot },
  statuses: [200],
  result: z.object({ id: uuidOut }).meta({ id: 'RevokedInvitation', example: { id: '01980e11-4c5d-7e6f-8a7b-9c0d1e2f3a4b' } }),
  errors: [notOpen],
  async handle(tx, { actor, params: { id } }) {
    await updateOpen(tx, actor, { id, change: { revokedAt: systemTime(tx) } });
    await recordChange(tx, { programId: actor.programId, actor, action: 'member_invitation.revoked', subjectId: id });
    return { id };
  },
});

async function rejectMember({ db }: Tx, programId: string, key: string): Promise<void> {
  const direct = db.selectFrom('programMembers').select('userId').where('programId', '=', programId);
  const whole = db
    .selectFrom('organizationMembers')
    .innerJoin('programs', 'programs.organizationId', 'organizationMembers.organizationId')
    .select('userId')
    .where('programs.id', '=', programId);
  const member = db.selectFrom('users').select('id').where('emailKey', '=', key).where('id', 'in', direct.union(whole));
  if (await member.executeTakeFirst())
    throw new Conflict('member_exists', 'The user with this address is already a member of the program.');
}

type Update = { id: string; change: { expiresAt: Date } | { revokedAt: Date } };

/** Changes an open invitation; the condition decides against a simultaneous acceptance. The role of an owner needs an owner. */
async function updateOpen(tx: Tx, actor: Principal, { id, change }: Update): Promise<void> {
  const updated = await tx.db
    .updateTable('memberInvitations')
    .set(change)
    .where('programId', '=', actor.programId)
    .where('id', '=', id)
    .where('acceptedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .returning('role')
    .executeTakeFirst();
  if (!updated) throw new InvalidState(notOpen.code, 'This invitation was already accepted or revoked.');
  await requireOwnerRights(tx, actor, [RoleField.parse(updated.role)]);
}

type Notice = { id: string; action: 'member_invitation.created' | 'member_invitation.resent'; after?: Record<string, unknown> };

async function notify(tx: Tx, actor: Principal, { id, action, after = {} }: Notice): Promise<void> {
  const { programId } = actor;
  const changeId = await recordChange(tx, { programId, actor, action, subjectId: id, after });
  await tx.jobs.enqueue(tx, notifyMemberInvitationJob, { programId, invitationId: id, changeId });
}

async function readOpen(tx: Tx, { programId }: Principal, id: string): Promise<z.input<typeof InvitationShape>> {
  const [invitation] = await findOpenInvitations(tx, { programId, id });
  if (!invitation) throw new NotFound();
  return invitation;
}
