// The invitation (Contract §3.1): its link signs the affiliate in with the invited address, which claims the affiliate.
import type { Tx } from '../../../../context.ts';
import { type Editable, toPlaceholder, writeText } from '../../editing/text.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { type Frame, loadFrame, type Sender } from '../../look/look.ts';
import { unsubscribeLink } from '../../opt-out/link.ts';
import { hidePrivateLink, privateLink } from '../../private-link.ts';
import { queueEmail } from '../../send.ts';

export type Recipient = { id: string; email: string; firstName: string; referralCode: string };

type Invitation = {
  programId: string;
  changeId: string;
  affiliate: Recipient;
  /** A personal message of the member who invites. */
  message?: string | null | undefined;
  notBefore?: Date | undefined;
};

const texts = {
  en: (name: string, firstName: string, email: string) => ({
    subject: `${name} invited you to its affiliate program`,
    heading: `${firstName}, you’re invited`,
    intro: `${name} invited you to promote its products and earn a commission on the orders that you refer.`,
    how: `To accept the invitation, open the link below, or sign up with this email address: ${email}.`,
    note: `A message from ${name}`,
    code: 'Your referral code',
    button: 'Accept invitation',
    footer: `You received this email because ${name} invited you to its affiliate program. If you don’t want to join, no action is needed.`,
  }),
  de: (name: string, firstName: string, email: string) => ({
    subject: `${name} lädt dich in sein Affiliate-Programm ein`,
    heading: `${firstName}, du bist eingeladen`,
    intro: `${name} lädt dich ein, Produkte zu empfehlen und an den vermittelten Bestellungen eine Provision zu verdienen.`,
    how: `Um die Einladung anzunehmen, öffne den Link unten oder registriere dich mit dieser E-Mail-Adresse: ${email}.`,
    note: `Eine Nachricht von ${name}`,
    code: 'Dein Empfehlungscode',
    button: 'Einladung annehmen',
    footer: `Du erhältst diese E-Mail, weil ${name} dich in sein Affiliate-Programm eingeladen hat. Wenn du nicht teilnehmen willst, musst du nichts tun.`,
  }),
};

/** The text of the email that programs can edit. */
export const invitationText: Editable = {
  placeholders: ['program', 'firstName', 'email'],
  toDefault(locale) {
    const words = texts[locale](toPlaceholder('program'), toPlaceholder('firstName'), toPlaceholder('email'));
    return { subject: words.subject, heading: words.heading, body: `${words.intro}\n\n${words.how}` };
  },
};

/** Queues the email that follows from one invitation. */
export async function sendInvitation(tx: Tx, { programId, changeId, affiliate, message, notBefore }: Invitation): Promise<void> {
  const { frame, sender } = await loadFrame(tx, { programId, affiliateId: affiliate.id, email: 'invitation' });
  const content = hidePrivateLink(renderInvitation(frame, sender, { affiliate, message }));
  await queueEmail(tx, { programId, changeId, affiliateId: affiliate.id, kind: 'invitation', to: affiliate.email, content, notBefore });
}

type Invited = Pick<Invitation, 'affiliate' | 'message'>;

export function renderInvitation(frame: Frame, { name }: Sender, { affiliate, message }: Invited): RenderedEmail {
  const { firstName, email } = affiliate;
  const words = texts[frame.locale](name, firstName, email);
  const { subject, heading, paragraphs } = writeText(frame, invitationText, { program: name, firstName, email });
  return renderEmail(frame, {
    subject,
    heading,
    paragraphs,
    note: message ? { label: words.note, text: message } : null,
    fact: { label: words.code, value: affiliate.referralCode },
    button: { label: words.button, url: privateLink },
    footer: words.footer,
    unsubscribeUrl: unsubscribeLink,
  });
}
