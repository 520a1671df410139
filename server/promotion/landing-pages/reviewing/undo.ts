// Undoing a review within a minute: the page has its former status again, and the email is not sent.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { cancelEmails } from '../../../messaging/emails/send.ts';
import { ReviewStatus } from '../../../partners/affiliates/expand/landing-page-summary.ts';
import { setPageFigure, toPageState } from '../../../partners/affiliates/totals/figures.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import type { LandingPageReviews } from '../../../platform/db/schema.gen.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut } from '../../../platform/http/declaration/fields.ts';
import { idSlot } from '../../../platform/http/declaration/id-slot.ts';
import { InvalidState, NothingToDo } from '../../../platform/lib/errors.ts';
import { recordPageEvent } from '../events.ts';
import { getRevision, type PageRow } from '../landing-page.ts';

type Review = Selectable<LandingPageReviews>;

export const undoPageReview = endpoint({
  id: 'landingPageReviews.undo',
  route: 'POST /app/programs/:programId/landing-page-reviews/:id/undo',
  scope: 'write',
  requires: 'pages.review',
  isUserOnly: true,
  tag: 'Review',
  summary: 'Undo a review of a page',
  description: 'Restores the status that the page had and cancels the email.',
  path: { id: idSlot('landingPageReviews', 'The `reviewId` of the review.') },
  statuses: [200],
  result: z
    .object({ slug: z.string(), revision: countOut, reviewStatus: ReviewStatus })
    .meta({ id: 'UndonePageReview', example: { slug: 'ada-lovelace', revision: 4, reviewStatus: 'draft' } }),
  errors: [
    { status: 400, code: 'undo_expired', when: 'The review can no longer be undone: its email was sent.' },
    { status: 400, code: 'page_changed', when: 'The page was written or reviewed again.' },
    { status: 422, code: 'already_undone', when: 'The review has already been undone.' },
  ],
  async handle(tx, { actor, params: { id } }) {
    const { programId } = actor;
    const { review, page } = await lockReview(tx, programId, id);
    const restored = await restore(tx, page, review);
    await recordChange(tx, {
      programId,
      actor,
      action: 'landing_page.review_undone',
      subjectId: page.id,
      before: { reviewStatus: page.reviewStatus },
      after: { reviewStatus: restored.reviewStatus, revision: restored.revision },
    });
    await recordPageEvent(tx, { programId, actor }, { before: page, after: restored });
    await cancelEmails(tx, programId, [review.auditId]);
    return { slug: restored.slug, revision: restored.revision, reviewStatus: ReviewStatus.parse(restored.reviewStatus) };
  },
});

/** Locks the page and marks the review as undone. Throws unless the page is exactly as the review left it. */
async function lockReview(tx: Tx, programId: string, id: string): Promise<{ review: Review; page: PageRow }> {
  const reviews = tx.db.selectFrom('landingPageReviews').selectAll().where('programId', '=', programId);
  const { pageId } = await reviews.where('id', '=', id).executeTakeFirstOrThrow();
  const pages = tx.db.selectFrom('landingPages').selectAll().where('programId', '=', programId).where('id', '=', pageId);
  const page = await pages.forNoKeyUpdate().executeTakeFirstOrThrow();
  const ofPage = await reviews.where('pageId', '=', pageId).orderBy('createdAt', 'desc').orderBy('id', 'desc').execute();
  const review = ofPage.find((each) => each.id === id);
  if (!review || review.undoneAt !== null) throw new NothingToDo('already_undone', 'This review has already been undone.');
  const now = tx.clock.now();
  if (review.undoUntil === null || review.undoUntil <= now) {
    throw new InvalidState('undo_expired', 'This review can no longer be undone: its email was sent.');
  }
  const latest = ofPage.find(({ undoneAt }) => undoneAt === null);
  if (latest?.id !== id || page.revision !== review.revision) {
    throw new InvalidState('page_changed', 'This review can no longer be undone: the page was written or reviewed again.');
  }
  await tx.db.updateTable('landingPageReviews').set({ undoneAt: now }).where('programId', '=', programId).where('id', '=', id).execute();
  return { review, page };
}

async function restore(tx: Tx, page: PageRow, { previousStatus, previousApprovedRevision }: Review): Promise<PageRow> {
  const { programId, id } = page;
  // Its place in the queue is that of its revision again.
  const { createdAt } = await getRevision(tx, page, page.revision);
  const restored = await tx.db
    .updateTable('landingPages')
    .set({ reviewStatus: previousStatus, approvedRevision: previousApprovedRevision, updatedAt: createdAt })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await setPageFigure(tx, restored, toPageState(restored));
  return restored;
}
