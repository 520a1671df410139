// Informs an affiliate of a rejection or suspension, with the reason that a member of the program gave.
import type { Tx } from '../../../../context.ts';
import { type Editable, toPlaceholder, writeText } from '../../editing/text.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { type Frame, loadFrame, type Sender } from '../../look/look.ts';
import { queueEmail } from '../../send.ts';
import type { Recipient } from './invitation.ts';

type Decided = { affiliate: Pick<Recipient, 'id' | 'email' | 'firstName'>; status: 'rejected' | 'suspended'; note: string | null };
type Decision = Decided & { programId: string; changeId: string; notBefore?: Date | undefined };

const texts = {
  en: (name: string, firstName: string) => ({
    rejected: {
      subject: `Your application to ${name}`,
      intro: `Thank you for your interest. ${name} did not approve your application to its affiliate program.`,
      footer: `You received this email because you applied to ${name}.`,
    },
    suspended: {
      subject: `Your affiliate account at ${name} is suspended`,
      intro: `${name} suspended your affiliate account. Your links redirect, but new orders earn no commission.`,
      footer: `You received this email because you are an affiliate of ${name}.`,
    },
    heading: `Hello ${firstName}`,
    note: 'Reason',
    button: `Visit ${name}`,
  }),
  de: (name: string, firstName: string) => ({
    rejected: {
      subject: `Deine Bewerbung bei ${name}`,
      intro: `Danke für dein Interesse. ${name} hat deine Bewerbung für das Affiliate-Programm nicht angenommen.`,
      footer: `Du erhältst diese E-Mail, weil du dich bei ${name} beworben hast.`,
    },
    suspended: {
      subject: `Dein Affiliate-Konto bei ${name} ist gesperrt`,
      intro: `${name} hat dein Affiliate-Konto gesperrt. Deine Links leiten weiter, aber neue Bestellungen bringen keine Provision.`,
      footer: `Du erhältst diese E-Mail, weil du Affiliate von ${name} bist.`,
    },
    heading: `Hallo ${firstName}`,
    note: 'Begründung',
    button: `Zu ${name}`,
  }),
};

const toEditable = (status: Decided['status']): Editable => ({
  placeholders: ['program', 'firstName'],
  toDefault(locale) {
    const words = texts[locale](toPlaceholder('program'), toPlaceholder('firstName'));
    return { subject: words[status].subject, heading: words.heading, body: words[status].intro };
  },
});

/** The texts of the emails that programs can edit. */
export const [rejectionText, suspensionText] = [toEditable('rejected'), toEditable('suspended')];

/** Queues the email that follows from one rejection or suspension. */
export async function sendDecision(tx: Tx, { programId, changeId, notBefore, ...decided }: Decision): Promise<void> {
  const { id: affiliateId, email: to } = decided.affiliate;
  const email = decided.status === 'rejected' ? 'rejection' : 'suspension';
  const { frame, sender } = await loadFrame(tx, { programId, affiliateId, email });
  const content = renderDecision(frame, sender, decided);
  await queueEmail(tx, { programId, changeId, affiliateId, kind: 'decision', to, content, notBefore });
}

export function renderDecision(frame: Frame, { name, websiteUrl }: Sender, { affiliate, status, note }: Decided): RenderedEmail {
  const words = texts[frame.locale](name, affiliate.firstName);
  const editable = status === 'rejected' ? rejectionText : suspensionText;
  const { subject, heading, paragraphs } = writeText(frame, editable, { program: name, firstName: affiliate.firstName });
  return renderEmail(frame, {
    subject,
    heading,
    paragraphs,
    note: note ? { label: words.note, text: note } : null,
    button: websiteUrl ? { label: words.button, url: websiteUrl } : null,
    footer: words[status].footer,
  });
}
