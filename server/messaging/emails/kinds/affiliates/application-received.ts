// Informs an applicant that the confirmed application has arrived and is reviewed.
import { findPortalUrl } from '../../../../accounts/programs/hosts/site-url.ts';
import type { Tx } from '../../../../context.ts';
import { type Editable, toPlaceholder, writeText } from '../../editing/text.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { type Frame, loadFrame, type Sender } from '../../look/look.ts';
import { queueEmail } from '../../send.ts';
import type { Recipient } from './invitation.ts';

const texts = {
  en: (name: string, firstName: string) => ({
    subject: `${name} received your application`,
    heading: `Thank you, ${firstName}`,
    received: `${name} received your application to its affiliate program and reviews it.`,
    next: 'You get an email about the decision. Until then, your account page shows the status.',
    button: 'View status',
    footer: `You received this email because you applied to the affiliate program of ${name}.`,
  }),
  de: (name: string, firstName: string) => ({
    subject: `${name} hat deine Bewerbung erhalten`,
    heading: `Danke, ${firstName}`,
    received: `${name} hat deine Bewerbung für das Affiliate-Programm erhalten und prüft sie.`,
    next: 'Über die Entscheidung informiert dich eine E-Mail. Bis dahin siehst du den Stand auf deiner Kontoseite.',
    button: 'Stand ansehen',
    footer: `Du erhältst diese E-Mail, weil du dich beim Affiliate-Programm von ${name} beworben hast.`,
  }),
};

/** The text of the email that programs can edit. */
export const applicationReceivedText: Editable = {
  placeholders: ['program', 'firstName'],
  toDefault(locale) {
    const words = texts[locale](toPlaceholder('program'), toPlaceholder('firstName'));
    return { subject: words.subject, heading: words.heading, body: `${words.received}\n\n${words.next}` };
  },
};

type Received = { affiliate: Pick<Recipient, 'id' | 'email' | 'firstName'> };

/** Queues the email that follows from one application. */
export async function sendApplicationReceived(
  tx: Tx,
  { programId, changeId, affiliate }: Received & { programId: string; changeId: string },
): Promise<void> {
  const { id: affiliateId, email: to } = affiliate;
  const { frame, sender } = await loadFrame(tx, { programId, affiliateId, email: 'application_received' });
  const content = renderApplicationReceived(frame, sender, { affiliate, statusUrl: await findPortalUrl(tx, programId) });
  await queueEmail(tx, { programId, changeId, affiliateId, kind: 'application_received', to, content });
}

export function renderApplicationReceived(
  frame: Frame,
  { name }: Sender,
  { affiliate, statusUrl }: Received & { statusUrl: string },
): RenderedEmail {
  const words = texts[frame.locale](name, affiliate.firstName);
  const { subject, heading, paragraphs } = writeText(frame, applicationReceivedText, { program: name, firstName: affiliate.firstName });
  return renderEmail(frame, {
    subject,
    heading,
    paragraphs,
    button: { label: words.button, url: statusUrl },
    footer: words.footer,
  });
}
