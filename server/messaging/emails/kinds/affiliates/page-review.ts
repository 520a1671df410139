// Informs an affiliate that their page was approved, or that changes are requested, with the note of the member who reviewed it.
import type { Tx } from '../../../../context.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { type Frame, loadFrame, type Sender } from '../../look/look.ts';
import { unsubscribeLink } from '../../opt-out/link.ts';
import { queueEmail } from '../../send.ts';
import type { Recipient } from './invitation.ts';

export type Reviewed = {
  affiliate: Pick<Recipient, 'id' | 'email' | 'firstName'>;
  verdict: 'approved' | 'changes_requested';
  note: string | null;
  /** The storefront, if the page is live now. */
  storefrontUrl: string | null;
  /** Where the affiliate edits the page. */
  editorUrl: string;
};
type PageReview = Reviewed & { programId: string; changeId: string; notBefore: Date };

const texts = {
  en: (name: string, firstName: string) => ({
    live: {
      subject: 'Your page is live',
      heading: `Your page is live, ${firstName}`,
      intro: `${name} approved your page. Share its address; orders from it are credited to you.`,
      button: 'Open your page',
    },
    approved: {
      subject: `${name} approved your page`,
      heading: `Your page is approved, ${firstName}`,
      intro: `${name} approved your page. It goes live when you publish it.`,
      button: 'Edit your page',
    },
    changesRequested: {
      subject: `${name} requested changes to your page`,
      heading: `Hello ${firstName}`,
      intro: `${name} reviewed your page and requested changes before it goes live.`,
      button: 'Edit your page',
    },
    note: `A note from ${name}`,
    link: 'The address of your page',
    footer: `You received this email because you are an affiliate of ${name}.`,
  }),
  de: (name: string, firstName: string) => ({
    live: {
      subject: 'Deine Seite ist online',
      heading: `Deine Seite ist online, ${firstName}`,
      intro: `${name} hat deine Seite freigegeben. Teile ihre Adresse; Bestellungen über sie werden dir gutgeschrieben.`,
      button: 'Seite öffnen',
    },
    approved: {
      subject: `${name} hat deine Seite freigegeben`,
      heading: `Deine Seite ist freigegeben, ${firstName}`,
      intro: `${name} hat deine Seite freigegeben. Sie geht online, wenn du sie veröffentlichst.`,
      button: 'Seite bearbeiten',
    },
    changesRequested: {
      subject: `${name} wünscht Änderungen an deiner Seite`,
      heading: `Hallo ${firstName}`,
      intro: `${name} hat deine Seite geprüft und wünscht Änderungen, bevor sie online geht.`,
      button: 'Seite bearbeiten',
    },
    note: `Eine Anmerkung von ${name}`,
    link: 'Die Adresse deiner Seite',
    footer: `Du erhältst diese E-Mail, weil du Affiliate von ${name} bist.`,
  }),
};

/** Queues the email that follows from one review. */
export async function sendPageReview(tx: Tx, { programId, changeId, notBefore, ...reviewed }: PageReview): Promise<void> {
  const { id: affiliateId, email: to } = reviewed.affiliate;
  const { frame, sender } = await loadFrame(tx, { programId, affiliateId });
  const content = renderPageReview(frame, sender, reviewed);
  await queueEmail(tx, { programId, changeId, affiliateId, kind: 'page_review', to, content, notBefore });
}

export function renderPageReview(frame: Frame, { name }: Sender, { affiliate, verdict, note, ...urls }: Reviewed): RenderedEmail {
  const { storefrontUrl, editorUrl } = urls;
  const words = texts[frame.locale](name, affiliate.firstName);
  const isLive = verdict === 'approved' && storefrontUrl !== null;
  const { subject, heading, intro, button } = isLive ? words.live : verdict === 'approved' ? words.approved : words.changesRequested;
  return renderEmail(frame, {
    subject,
    heading,
    paragraphs: [intro],
    note: note ? { label: words.note, text: note } : null,
    link: isLive ? { label: words.link, url: storefrontUrl } : null,
    button: { label: button, url: isLive ? storefrontUrl : editorUrl },
    footer: words.footer,
    unsubscribeUrl: unsubscribeLink,
  });
}
