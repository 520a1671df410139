// The approval email (Contract §3.1): sent when an affiliate becomes active, once per change.
import { getProgram } from '../../accounts/programs/program.ts';
import type { Tx } from '../../context.ts';
import type { Recipient, Sender } from './invitation.ts';
import { type RenderedEmail, renderEmail } from './layout.ts';
import { queueEmail } from './send.ts';

type Approval = { programId: string; changeId: string; affiliate: Recipient; notBefore?: Date | undefined };

/** Queues the email that follows from one change to `active`. */
export async function sendApproval(tx: Tx, { programId, changeId, affiliate, notBefore }: Approval): Promise<void> {
  const content = renderApproval(await getProgram(tx, programId), affiliate);
  await queueEmail(tx, { programId, changeId, affiliateId: affiliate.id, kind: 'approval', to: affiliate.email, content, notBefore });
}

export function renderApproval({ name, websiteUrl }: Sender, { firstName, referralCode }: Recipient): RenderedEmail {
  return renderEmail({
    programName: name,
    subject: `You've been approved as an affiliate of ${name}`,
    heading: `Welcome, ${firstName}`,
    paragraphs: [
      `You've been approved as an affiliate of ${name}. You now earn a commission on orders that you refer.`,
      'Share your referral code with your audience, and disclose that you earn a commission.',
    ],
    fact: { label: 'Your referral code', value: referralCode },
    button: websiteUrl ? { label: `Visit ${name}`, url: websiteUrl } : null,
    footer: `You received this email because you are an affiliate of ${name}.`,
  });
}
