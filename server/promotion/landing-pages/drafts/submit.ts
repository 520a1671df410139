// Submitting the draft: it becomes the next revision of the page, which is offline until the program approves it
// (Contract §4.5). Drafts may be incomplete, so the limits of pages apply here.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { lockAffiliate } from '../../../partners/affiliates/affiliate.ts';
import { ReviewStatus } from '../../../partners/affiliates/expand/landing-page-summary.ts';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import type { AffiliatePrincipal } from '../../../platform/http/declaration/principal.ts';
import { Invalid, InvalidState } from '../../../platform/lib/errors.ts';
import { pageSlugForm } from '../../../platform/lib/slug.ts';
import { PageContent } from '../content.ts';
import { requireAllowedImages } from '../images.ts';
import { writePage } from '../write.ts';
import { type DraftContent, draftingStatuses, outdatedDraft, readDraft, readStart } from './draft.ts';
import { clearDraft, outdatedError, versionField } from './save.ts';

export const submitPage = endpoint({
  id: 'portalPage.submit',
  route: 'POST /app/portal/:programId/page/submit',
  scope: 'affiliate',
  affiliateStatuses: draftingStatuses,
  tag: 'Portal',
  summary: 'Submit your page for review',
  description: 'Writes the draft as the next revision of the page. A page that is live goes offline until the program approves it.',
  body: z.object({ version: versionField }).meta({ id: 'PageSubmission', example: { version: 7 } }),
  statuses: [200],
  result: z
    .object({ slug: z.string(), reviewStatus: ReviewStatus, version: z.int().describe('Of the draft, which is empty again.') })
    .meta({ id: 'SubmittedPage', example: { slug: 'ada-lovelace', reviewStatus: 'draft', version: 8 } }),
  errors: [
    { status: 400, code: 'affiliate_not_active', when: 'The affiliate is not active.' },
    { status: 409, code: 'slug_taken', when: 'The slug is used by the landing page of another affiliate.' },
    outdatedError,
  ],
  handle: (ctx, { actor, body }) => transact(ctx, (tx) => submitDraft(tx, actor, body.version)),
});

async function submitDraft(tx: Tx, actor: AffiliatePrincipal, version: number) {
  const { programId, affiliateId } = actor;
  const owner = await lockAffiliate(tx, programId, affiliateId);
  if (owner.status !== 'active') {
    throw new InvalidState('affiliate_not_active', 'Only active affiliates can submit a page. The draft is kept.');
  }
  await sql`select 1 from landing_page_drafts where program_id = ${programId} and affiliate_id = ${affiliateId} for update`.execute(tx.db);
  const draft = await readDraft(tx, actor);
  if (draft.version !== version) throw outdatedDraft(draft.version);
  await requireAllowedImages(tx, { programId: actor.programId, images: draft.content, current: await readStart(tx, actor) });
  const { slug, ...content } = toPage(draft.content);
  const { body } = await writePage(tx, { kind: 'user', id: actor.id, programId }, slug, { ...content, affiliateId, isPublished: true });
  await clearDraft(tx, actor);
  return { slug: body.slug, reviewStatus: body.reviewStatus, version: version === 0 ? 0 : version + 1 };
}

/** The draft as a page. Throws Invalid with every fault. */
function toPage({ slug, headline, bioText, productNotes, ...draft }: DraftContent) {
  const notes = Object.entries(productNotes).filter(([id, text]) => text !== '' && draft.featuredProductIds.includes(id));
  const page = PageContent.safeParse({
    ...draft,
    headline: headline || null,
    bioText: bioText || null,
    productNotes: Object.fromEntries(notes),
  });
  const slugFaults = pageSlugForm.test(slug) ? [] : [{ path: ['slug'], message: 'must be 1 to 64 lowercase letters, numbers and hyphens' }];
  const faults = page.error?.issues.map(({ path, message }) => ({ path: path.map(String), message })) ?? [];
  if (!page.success || slugFaults.length > 0) throw new Invalid([...slugFaults, ...faults]);
  return { ...page.data, slug };
}
