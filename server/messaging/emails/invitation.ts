// The invitation (Contract §3.1): its link signs the affiliate in with the invited address, which claims the affiliate.
import { getProgram } from '../../accounts/programs/program.ts';
import type { Tx } from '../../context.ts';
import { type RenderedEmail, renderEmail } from './layout.ts';
import { hidePrivateLink, privateLink } from './private-link.ts';
import { queueEmail } from './send.ts';

export type Recipient = { id: string; email: string; firstName: string; referralCode: string };
export type Sender = { name: string; websiteUrl: string | null };

type Invitation = {
  programId: string;
  changeId: string;
  affiliate: Recipient;
  /** A personal message of the member who invites. */
  message?: string | null | undefined;
  notBefore?: Date | undefined;
};

/** Queues the email that follows from one invitation. */
export async function sendInvitation(tx: Tx, { programId, changeId, affiliate, message, notBefore }: Invitation): Promise<void> {
  const content = hidePrivateLink(renderInvitation(await getProgram(tx, programId), affiliate, message));
  await queueEmail(tx, { programId, changeId, affiliateId: affiliate.id, kind: 'invitation', to: affiliate.email, content, notBefore });
}

export function renderInvitation({ name }: Sender, { firstName, email, referralCode }: Recipient, message?: string | null): RenderedEmail {
  return renderEmail({
    programName: name,
    subject: `${name} invited you to its affiliate program`,
    heading: `${firstName}, you're invited`,
    paragraphs: [
      ...(message ? message.split(/\n+/) : []),
      `${name} invited you to promote its products and earn a commission on the orders that you refer.`,
      `To accept the invitation, open the link below, or sign up with this email address: ${email}.`,
    ],
    fact: { label: 'Your referral code', value: referralCode },
    button: { label: 'Accept invitation', url: privateLink },
    footer: `You received this email because ${name} invited you to its affiliate program. If you don't want to join, no action is needed.`,
  });
}
