// Informs an affiliate that their content for a bounty was approved, or rejected with the reason.
import { findPortalUrl } from '../../../../accounts/programs/hosts/site-url.ts';
import type { Tx } from '../../../../context.ts';
import { formatCents } from '../../../../platform/lib/currency.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { type Frame, loadFrame, type Sender } from '../../look/look.ts';
import { queueEmail } from '../../send.ts';

type Decided = { decision: 'approved' | 'rejected'; note: string | null; bountyName: string; rewardCents: number; currency: string };
type Decision = Decided & { programId: string; changeId: string; affiliateId: string };

const texts = {
  en: (name: string, firstName: string, bounty: string, reward: string) => ({
    approved: {
      subject: `${name} approved your content: you earned ${reward}`,
      heading: `You earned ${reward}, ${firstName}`,
      intro: `${name} approved your content for the bounty “${bounty}”. The bonus is paid like your commissions, after the hold period.`,
      note: `A note from ${name}`,
    },
    rejected: {
      subject: `${name} did not approve your content`,
      heading: `Hello ${firstName}`,
      intro: `${name} reviewed your content for the bounty “${bounty}” and did not approve it. You can submit again while the bounty is open.`,
      note: 'Reason',
    },
    button: 'Open your bounties',
    footer: `You received this email because you submitted content to ${name}.`,
  }),
  de: (name: string, firstName: string, bounty: string, reward: string) => ({
    approved: {
      subject: `${name} hat deinen Inhalt angenommen: ${reward} verdient`,
      heading: `Du hast ${reward} verdient, ${firstName}`,
      intro: `${name} hat deinen Inhalt für die Prämie „${bounty}“ angenommen. Der Bonus wird wie deine Provisionen nach der Wartezeit ausgezahlt.`,
      note: `Eine Anmerkung von ${name}`,
    },
    rejected: {
      subject: `${name} hat deinen Inhalt nicht angenommen`,
      heading: `Hallo ${firstName}`,
      intro: `${name} hat deinen Inhalt für die Prämie „${bounty}“ geprüft und nicht angenommen. Solange die Prämie offen ist, kannst du noch einmal einreichen.`,
      note: 'Begründung',
    },
    button: 'Deine Prämien öffnen',
    footer: `Du erhältst diese E-Mail, weil du bei ${name} einen Inhalt eingereicht hast.`,
  }),
};

/** Queues the email that follows from one decision. */
export async function sendBountyDecision(tx: Tx, { programId, changeId, affiliateId, ...decided }: Decision): Promise<void> {
  const affiliates = tx.db.selectFrom('affiliates').select(['email', 'firstName']).where('programId', '=', programId);
  const { email: to, firstName } = await affiliates.where('id', '=', affiliateId).executeTakeFirstOrThrow();
  const { frame, sender } = await loadFrame(tx, { programId, affiliateId });
  const bountiesUrl = `${await findPortalUrl(tx, programId)}/bounties`;
  const content = renderBountyDecision(frame, sender, { ...decided, firstName, bountiesUrl });
  await queueEmail(tx, { programId, changeId, affiliateId, kind: 'bounty_decision', to, content });
}

export function renderBountyDecision(
  frame: Frame,
  { name }: Sender,
  { decision, note, bountyName, rewardCents, currency, firstName, bountiesUrl }: Decided & { firstName: string; bountiesUrl: string },
): RenderedEmail {
  const reward = formatCents(rewardCents, currency, { language: frame.locale });
  const words = texts[frame.locale](name, firstName, bountyName, reward);
  const { subject, heading, intro, note: label } = words[decision];
  return renderEmail(frame, {
    subject,
    heading,
    paragraphs: [intro],
    note: note ? { label, text: note } : null,
    button: { label: words.button, url: bountiesUrl },
    footer: words.footer,
  });
}
