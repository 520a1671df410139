// A member takes a page offline, or puts an approved one online again, without a new revision.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordEvent } from '../../messaging/events/record.ts';
import { isLive, ReviewStatus } from '../../partners/affiliates/expand/landing-page-summary.ts';
import { setPageFigure, toPageState } from '../../partners/affiliates/totals/figures.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut } from '../../platform/http/declaration/fields.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { landingPageUpdated, toPageData } from './events.ts';
import { existingSlugSlot, type PageRow } from './landing-page.ts';
import { lockPage } from './review.ts';

export const publishLandingPage = endpoint({
  id: 'landingPages.publish',
  route: 'PATCH /app/programs/:programId/landing-pages/:slug',
  scope: 'write',
  requires: 'pages.review',
  isUserOnly: true,
  tag: 'Review',
  summary: 'Publish or unpublish a page',
  description: 'An unpublished page keeps its approval: publishing it again puts the approved revision online.',
  path: { slug: existingSlugSlot },
  body: z.object({ isPublished: z.boolean() }).meta({ id: 'LandingPagePublication', example: { isPublished: false } }),
  statuses: [200],
  result: z
    .object({ slug: z.string(), revision: countOut, reviewStatus: ReviewStatus, isPublished: z.boolean(), isLive: z.boolean() })
    .meta({
      id: 'LandingPagePublicationState',
      example: { slug: 'ada-lovelace', revision: 4, reviewStatus: 'approved', isPublished: false, isLive: false },
    }),
  async handle(tx, { actor, params: { slug }, body: { isPublished } }) {
    const { programId } = actor;
    const page = await setPublished(tx, await lockPage(tx, programId, slug), { actor, isPublished });
    const reviewStatus = ReviewStatus.parse(page.reviewStatus);
    return { slug: page.slug, revision: page.revision, reviewStatus, isPublished: page.isPublished, isLive: isLive(page) };
  },
});

/** Changes the locked page, its figure, the log and the events; nothing if it has this state. */
async function setPublished(tx: Tx, before: PageRow, { actor, isPublished }: { actor: Actor; isPublished: boolean }): Promise<PageRow> {
  if (before.isPublished === isPublished) return before;
  const { programId, id } = before;
  const update = tx.db.updateTable('landingPages').set({ isPublished, updatedAt: tx.clock.now() });
  const after = await update.where('programId', '=', programId).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
  await setPageFigure(tx, after, toPageState(after));
  const previous = { isPublished: before.isPublished };
  await recordChange(tx, {
    programId,
    actor,
    action: isPublished ? 'landing_page.published' : 'landing_page.unpublished',
    subjectId: id,
    before: previous,
    after: { isPublished },
  });
  const occurrence = { objectId: id, affiliateId: after.affiliateId, data: toPageData(after), previous };
  await recordEvent(tx, { programId, actor }, landingPageUpdated.of(occurrence));
  return after;
}
