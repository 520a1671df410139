// The approval email (Contract §3.1): sent when an affiliate becomes active, once per change. It contains the link to share,
// and a button that signs the affiliate in to the portal.
import type { Tx } from '../../../../context.ts';
import { type Editable, toPlaceholder, writeText } from '../../editing/text.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { type Frame, loadFrame, type Sender } from '../../look/look.ts';
import { hidePrivateLink, privateLink } from '../../private-link.ts';
import { queueEmail } from '../../send.ts';
import type { Recipient } from './invitation.ts';

type Approved = { affiliate: Recipient; linkUrl: string };
type Approval = Approved & { programId: string; changeId: string; notBefore?: Date | undefined };

const texts = {
  en: (name: string, firstName: string) => ({
    subject: `You’ve been approved as an affiliate of ${name}`,
    heading: `Welcome, ${firstName}`,
    intro: `You’ve been approved as an affiliate of ${name}. You now earn a commission on orders that you refer.`,
    how: 'Share your link with your audience, and disclose that you earn a commission.',
    link: 'Your link to share',
    code: 'Your referral code',
    button: 'Open your portal',
    remark: 'The button signs you in with this email address and works once. Don’t forward this email.',
    footer: `You received this email because you are an affiliate of ${name}.`,
  }),
  de: (name: string, firstName: string) => ({
    subject: `Du bist jetzt Affiliate von ${name}`,
    heading: `Willkommen, ${firstName}`,
    intro: `${name} hat dich als Affiliate angenommen. Ab jetzt verdienst du an den Bestellungen, die du vermittelst, eine Provision.`,
    how: 'Teile deinen Link mit deinem Publikum, und weise darauf hin, dass du eine Provision verdienst.',
    link: 'Dein Link zum Teilen',
    code: 'Dein Empfehlungscode',
    button: 'Portal öffnen',
    remark: 'Die Schaltfläche meldet dich mit dieser E-Mail-Adresse an und funktioniert einmal. Leite diese E-Mail nicht weiter.',
    footer: `Du erhältst diese E-Mail, weil du Affiliate von ${name} bist.`,
  }),
};

/** The text of the email that programs can edit. */
export const approvalText: Editable = {
  placeholders: ['program', 'firstName'],
  toDefault(locale) {
    const words = texts[locale](toPlaceholder('program'), toPlaceholder('firstName'));
    return { subject: words.subject, heading: words.heading, body: `${words.intro}\n\n${words.how}` };
  },
};

/** Queues the email that follows from one change to `active`. */
export async function sendApproval(tx: Tx, { programId, changeId, affiliate, linkUrl, notBefore }: Approval): Promise<void> {
  const { frame, sender } = await loadFrame(tx, { programId, affiliateId: affiliate.id, email: 'approval' });
  const content = hidePrivateLink(renderApproval(frame, sender, { affiliate, linkUrl }));
  await queueEmail(tx, { programId, changeId, affiliateId: affiliate.id, kind: 'approval', to: affiliate.email, content, notBefore });
}

export function renderApproval(frame: Frame, { name }: Sender, { affiliate, linkUrl }: Approved): RenderedEmail {
  const words = texts[frame.locale](name, affiliate.firstName);
  const { subject, heading, paragraphs } = writeText(frame, approvalText, { program: name, firstName: affiliate.firstName });
  return renderEmail(frame, {
    subject,
    heading,
    paragraphs,
    link: { label: words.link, url: linkUrl },
    fact: { label: words.code, value: affiliate.referralCode },
    button: { label: words.button, url: privateLink },
    remarks: [words.remark],
    footer: words.footer,
  });
}
