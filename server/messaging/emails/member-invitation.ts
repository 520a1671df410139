// The invitation to become a member of a program, for its staff.
import { notifyMemberInvitationJob } from '../../accounts/identity/invitations/notify-job.ts';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';
import { job } from '../../platform/queue/job.ts';
import { formatTime, type RenderedEmail, renderEmail } from './layout.ts';
import { hidePrivateLink, privateLink } from './private-link.ts';
import { queueEmail } from './send.ts';

/** Runs after the invitation has committed. Repeating it queues no second email. */
export const sendMemberInvitation = job({
  ...notifyMemberInvitationJob,
  retries: 10,
  run: (ctx, { programId, invitationId, changeId }) => queueInvitation(ctx, { programId, invitationId, changeId }),
});

type Invited = { programId: string; invitationId: string; changeId: string };

async function queueInvitation(ctx: Context, { programId, invitationId, changeId }: Invited): Promise<void> {
  await transact(ctx, async (tx) => {
    const program = await getProgram(tx, programId, { lock: true });
    const invitation = await tx.db
      .selectFrom('memberInvitations')
      .leftJoin('users', 'users.id', 'invitedBy')
      .select(['memberInvitations.email', 'memberInvitations.name', 'role', 'expiresAt', 'users.name as inviter'])
      .where('programId', '=', programId)
      .where('memberInvitations.id', '=', invitationId)
      .where('revokedAt', 'is', null)
      .executeTakeFirst();
    const sent = tx.db.selectFrom('emails').select('id').where('programId', '=', programId).where('auditId', '=', changeId);
    if (!invitation || (await sent.executeTakeFirst())) return;
    const content = hidePrivateLink(renderMemberInvitation(program.name, invitation));
    await queueEmail(tx, { programId, changeId, affiliateId: null, kind: 'member_invitation', to: invitation.email, content });
  });
}

const roleNames: Record<string, string> = {
  owner: 'an owner',
  admin: 'an administrator',
  finance: 'a finance manager',
  reviewer: 'a reviewer',
  developer: 'a developer',
  viewer: 'a viewer',
};

type Invitation = { email: string; name: string; role: string; expiresAt: Date; inviter: string | null };

function renderMemberInvitation(programName: string, { email, name, role, expiresAt, inviter }: Invitation): RenderedEmail {
  const sender = inviter ?? programName;
  return renderEmail({
    programName,
    subject: `${sender} invited you to manage the affiliate program of ${programName}`,
    heading: `${name}, you're invited`,
    paragraphs: [
      `${sender} invited you to manage the affiliate program of ${programName} as ${roleNames[role] ?? 'a member'}.`,
      `Accept the invitation with this email address, ${email}, until ${formatTime(expiresAt)}. The link works once.`,
    ],
    button: { label: 'Accept invitation', url: privateLink },
    footer: `You received this email because ${sender} invited you. If you don't want to join, no action is needed.`,
  });
}
