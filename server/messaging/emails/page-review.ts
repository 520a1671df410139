// Informs an affiliate that their page was approved, or that changes are requested, with the note of the member who reviewed it.
import { getProgram } from '../../accounts/programs/program.ts';
import type { Tx } from '../../context.ts';
import type { Recipient } from './invitation.ts';
import { type RenderedEmail, renderEmail } from './layout.ts';
import { queueEmail } from './send.ts';

type Reviewed = {
  affiliate: Pick<Recipient, 'id' | 'email' | 'firstName'>;
  verdict: 'approved' | 'changes_requested';
  note: string | null;
  /** The storefront, if the page is live now. */
  storefrontUrl: string | null;
  /** Where the affiliate edits the page. */
  editorUrl: string;
};
type PageReview = Reviewed & { programId: string; changeId: string; notBefore: Date };

/** Queues the email that follows from one review. */
export async function sendPageReview(tx: Tx, { programId, changeId, notBefore, ...reviewed }: PageReview): Promise<void> {
  const content = renderPageReview(await getProgram(tx, programId), reviewed);
  const { id: affiliateId, email: to } = reviewed.affiliate;
  await queueEmail(tx, { programId, changeId, affiliateId, kind: 'page_review', to, content, notBefore });
}

export function renderPageReview({ name }: { name: string }, { affiliate, verdict, note, ...urls }: Reviewed): RenderedEmail {
  const { storefrontUrl, editorUrl } = urls;
  const notes = note ? note.split(/\n+/) : [];
  const footer = `You received this email because you are an affiliate of ${name}.`;
  if (verdict === 'changes_requested') {
    return renderEmail({
      programName: name,
      subject: `${name} requested changes to your page`,
      heading: `Hello ${affiliate.firstName}`,
      paragraphs: [`${name} reviewed your page and requested changes before it goes live.`, ...notes],
      button: { label: 'Edit your page', url: editorUrl },
      footer,
    });
  }
  return renderEmail({
    programName: name,
    subject: storefrontUrl ? 'Your page is live' : `${name} approved your page`,
    heading: storefrontUrl ? `Your page is live, ${affiliate.firstName}` : `Your page is approved, ${affiliate.firstName}`,
    paragraphs: [
      storefrontUrl
        ? `${name} approved your page. Share its address; orders from it are credited to you.`
        : `${name} approved your page. It goes live when you publish it.`,
      ...notes,
    ],
    button: storefrontUrl ? { label: 'Open your page', url: storefrontUrl } : { label: 'Edit your page', url: editorUrl },
    footer,
  });
}
