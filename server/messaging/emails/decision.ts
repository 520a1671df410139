// Informs an affiliate of a rejection or suspension, with the reason that a member of the program gave.
import { getProgram } from '../../accounts/programs/program.ts';
import type { Tx } from '../../context.ts';
import type { Recipient, Sender } from './invitation.ts';
import { type RenderedEmail, renderEmail } from './layout.ts';
import { queueEmail } from './send.ts';

type Decided = { affiliate: Pick<Recipient, 'id' | 'email' | 'firstName'>; status: 'rejected' | 'suspended'; note: string | null };
type Decision = Decided & { programId: string; changeId: string; notBefore?: Date | undefined };

/** Queues the email that follows from one rejection or suspension. */
export async function sendDecision(tx: Tx, { programId, changeId, notBefore, ...decided }: Decision): Promise<void> {
  const content = renderDecision(await getProgram(tx, programId), decided);
  const { id: affiliateId, email: to } = decided.affiliate;
  await queueEmail(tx, { programId, changeId, affiliateId, kind: 'decision', to, content, notBefore });
}

export function renderDecision({ name, websiteUrl }: Sender, { affiliate, status, note }: Decided): RenderedEmail {
  const isRejected = status === 'rejected';
  return renderEmail({
    programName: name,
    subject: isRejected ? `Your application to ${name}` : `Your affiliate account at ${name} is suspended`,
    heading: `Hello ${affiliate.firstName}`,
    paragraphs: [
      isRejected
        ? `Thank you for your interest. ${name} did not approve your application to its affiliate program.`
        : `${name} suspended your affiliate account. Your links redirect, but new orders earn no commission.`,
      ...(note ? note.split(/\n+/) : []),
    ],
    button: websiteUrl ? { label: `Visit ${name}`, url: websiteUrl } : null,
    footer: `You received this email because ${isRejected ? 'you applied to' : 'you are an affiliate of'} ${name}.`,
  });
}
