// The invitation to become a member of a program, for its staff.
import { notifyMemberInvitationJob } from '../../../../accounts/identity/invitations/notify-job.ts';
import { getProgram } from '../../../../accounts/programs/program.ts';
import type { Context } from '../../../../context.ts';
import { transact } from '../../../../platform/db/transact.ts';
import { emailKey } from '../../../../platform/lib/email-address.ts';
import { job } from '../../../../platform/queue/job.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { formatTime } from '../../look/format.ts';
import { type Frame, findUserLocale, type Locale, serviceLook } from '../../look/look.ts';
import { hidePrivateLink, privateLink } from '../../private-link.ts';
import { queueEmail } from '../../send.ts';
import { roleTitles } from './role-titles.ts';

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
    const locale = await findUserLocale(tx, emailKey(invitation.email) ?? invitation.email);
    const content = hidePrivateLink(renderMemberInvitation({ locale }, program.name, invitation));
    await queueEmail(tx, { programId, changeId, affiliateId: null, kind: 'member_invitation', to: invitation.email, content });
  });
}

const roleNames: Record<Locale, Record<string, string>> = {
  en: {
    owner: 'an owner',
    admin: 'an administrator',
    finance: 'a finance manager',
    reviewer: 'a reviewer',
    developer: 'a developer',
    viewer: 'a viewer',
  },
  de: roleTitles.de,
};

const texts = {
  en: (programName: string, sender: string, name: string) => ({
    subject: `${sender} invited you to manage the affiliate program of ${programName}`,
    heading: `${name}, you’re invited`,
    intro: (role: string) => `${sender} invited you to manage the affiliate program of ${programName} as ${role}.`,
    how: (email: string, until: string) => `Accept the invitation with this email address, ${email}, until ${until}. The link works once.`,
    button: 'Accept invitation',
    member: 'a member',
    footer: `You received this email because ${sender} invited you. If you don’t want to join, no action is needed.`,
  }),
  de: (programName: string, sender: string, name: string) => ({
    subject: `${sender} lädt zur Verwaltung des Affiliate-Programms von ${programName} ein`,
    heading: `Einladung für ${name}`,
    intro: (role: string) => `${sender} lädt zur Verwaltung des Affiliate-Programms von ${programName} ein. Rolle: ${role}.`,
    how: (email: string, until: string) =>
      `Die Einladung mit dieser E-Mail-Adresse annehmen: ${email}. Sie gilt bis ${until}. Der Link funktioniert einmal.`,
    button: 'Einladung annehmen',
    member: 'Mitglied',
    footer: `Grund dieser E-Mail: eine Einladung von ${sender}. Ohne Interesse ist nichts zu tun.`,
  }),
};

type Invitation = { email: string; name: string; role: string; expiresAt: Date; inviter: string | null };

/** The invitation, in the look of the service: it is for the staff. */
export function renderMemberInvitation({ locale }: Pick<Frame, 'locale'>, programName: string, invitation: Invitation): RenderedEmail {
  const { email, name, role, expiresAt, inviter } = invitation;
  const words = texts[locale](programName, inviter || programName, name);
  return renderEmail(
    { look: serviceLook, locale },
    {
      subject: words.subject,
      heading: words.heading,
      paragraphs: [words.intro(roleNames[locale][role] ?? words.member), words.how(email, formatTime(expiresAt, locale))],
      button: { label: words.button, url: privateLink },
      footer: words.footer,
    },
  );
}
