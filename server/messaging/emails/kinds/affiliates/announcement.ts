// What a program announces to its affiliates: a text that a member wrote, for one announcement.
import { findPortalUrl } from '../../../../accounts/programs/hosts/site-url.ts';
import type { Tx } from '../../../../context.ts';
import { type Editable, toPlaceholder, writeText } from '../../editing/text.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import type { Frame, Sender } from '../../look/look.ts';
import { unsubscribeLink } from '../../opt-out/link.ts';
import { queueEmail } from '../../send.ts';

type Announced = { firstName: string; portalUrl: string };
type Announcement = {
  programId: string;
  changeId: string;
  affiliate: { id: string; email: string; firstName: string };
  /** With the text of the announcement as `edited`. */
  frame: Frame;
  sender: Sender;
};

const texts = {
  en: (name: string, firstName: string) => ({
    subject: `What’s new at ${name}`,
    heading: `Hello ${firstName}`,
    body: 'Our new collection starts next week, and you can promote it from today.\nYou find pictures and texts in your account.',
    button: 'Open your account',
    footer: `You received this email because you are an affiliate of ${name}.`,
  }),
  de: (name: string, firstName: string) => ({
    subject: `Neues von ${name}`,
    heading: `Hallo ${firstName}`,
    body: 'Unsere neue Kollektion startet nächste Woche, und du kannst sie ab heute bewerben.\nBilder und Texte findest du in deinem Konto.',
    button: 'Konto öffnen',
    footer: `Du erhältst diese E-Mail, weil du Affiliate von ${name} bist.`,
  }),
};

/** What an announcement can contain. The default text is only shown as an example. */
export const announcementText: Editable = {
  placeholders: ['program', 'firstName'],
  toDefault(locale) {
    const { subject, heading, body } = texts[locale](toPlaceholder('program'), toPlaceholder('firstName'));
    return { subject, heading, body };
  },
};

/** Queues the email to one affiliate. A second one of the same announcement violates emails_announcement_once. */
export async function sendAnnouncement(tx: Tx, { programId, changeId, affiliate, frame, sender }: Announcement): Promise<void> {
  const { id: affiliateId, email: to, firstName } = affiliate;
  const content = renderAnnouncement(frame, sender, { firstName, portalUrl: await findPortalUrl(tx, programId) });
  await queueEmail(tx, { programId, changeId, affiliateId, kind: 'announcement', to, content });
}

/** Renders the email. */
export function renderAnnouncement(frame: Frame, { name }: Sender, { firstName, portalUrl }: Announced): RenderedEmail {
  const words = texts[frame.locale](name, firstName);
  return renderEmail(frame, {
    ...writeText(frame, announcementText, { program: name, firstName }),
    button: { label: words.button, url: portalUrl },
    footer: words.footer,
    unsubscribeUrl: unsubscribeLink,
  });
}
