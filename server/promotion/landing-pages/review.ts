// The program's review of a page: a human action, never an API operation (Contract §3.2). It names the revision that was
// reviewed; a page that was written in the meantime is not approved.
import type { Tx } from '../../context.ts';
import { isLive } from '../../partners/affiliates/expand/landing-page-summary.ts';
import { setPageFigure, toPageState } from '../../partners/affiliates/totals/figures.ts';
import { recordChange } from '../../platform/audit/record.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { NotFound, Outdated } from '../../platform/lib/errors.ts';
import { recordPageEvent } from './events.ts';
import { findPage, type PageRow } from './landing-page.ts';

export type Verdict = 'approved' | 'changes_requested';
type Review = {
  programId: string;
  slug: string;
  revision: number;
  verdict: Verdict;
  actor: Actor;
  /** For the affiliate. */
  note?: string | null | undefined;
  /** The fields that the note is about. */
  fields?: readonly string[] | undefined;
  /** Until when the review can be undone; it can't be without. */
  undoUntil?: Date | undefined;
  /** The status that the reviewer saw; another one means that the page was decided in the meantime. */
  seenStatus?: string | undefined;
};

export type Reviewed = PageRow & { isLive: boolean; reviewId: string; changeId: string };

/** The page was written after the revision that was reviewed, or decided by another member. */
export class StaleReview extends Outdated {}

/**
 * Records the verdict. Throws NotFound for an unknown slug, and StaleReview for a revision or status that is not the current
 * one.
 */
export async function reviewPage(tx: Tx, review: Review): Promise<Reviewed> {
  const { programId, slug, revision, verdict } = review;
  const page = await lockPage(tx, programId, slug);
  checkCurrent(page, review);
  const reviewed = await tx.db
    .updateTable('landingPages')
    .set({
      reviewStatus: verdict,
      approvedRevision: verdict === 'approved' ? revision : page.approvedRevision,
      updatedAt: tx.clock.now(),
    })
    .where('programId', '=', programId)
    .where('id', '=', page.id)
    .where('revision', '=', revision)
    .returningAll()
    .executeTakeFirstOrThrow();
  await setPageFigure(tx, reviewed, toPageState(reviewed));
  await recordPageEvent(tx, review, { before: page, after: reviewed });
  return { ...reviewed, isLive: isLive(reviewed), ...(await recordReview(tx, page, review)) };
}

/** Locks the page, so that it is neither written nor decided until the end of the transaction. */
export async function lockPage(tx: Tx, programId: string, slug: string): Promise<PageRow> {
  const found = await findPage(tx, programId, slug);
  if (!found) throw new NotFound();
  const pages = tx.db.selectFrom('landingPages').selectAll().where('programId', '=', programId).where('id', '=', found.id);
  return pages.forNoKeyUpdate().executeTakeFirstOrThrow();
}

function checkCurrent(page: PageRow, { revision, seenStatus }: Review): void {
  const facts = { revision: page.revision, reviewStatus: page.reviewStatus };
  if (page.revision !== revision) {
    const message = `The page is at revision ${page.revision}, not ${revision}. Review the current revision first.`;
    throw new StaleReview('stale_revision', message, facts);
  }
  if (seenStatus === undefined || seenStatus === page.reviewStatus) return;
  throw new StaleReview('already_reviewed', 'This page has been reviewed in the meantime.', facts);
}

async function recordReview(tx: Tx, page: PageRow, review: Review): Promise<{ reviewId: string; changeId: string }> {
  const { programId, revision, verdict, actor, note = null, fields = [], undoUntil = null } = review;
  const changeId = await recordChange(tx, {
    programId,
    actor,
    action: `landing_page.${verdict}`,
    subjectId: page.id,
    before: { reviewStatus: page.reviewStatus },
    after: note === null ? { reviewStatus: verdict, revision } : { reviewStatus: verdict, revision, note },
  });
  const reviewId = tx.ids.uuid();
  await tx.db
    .insertInto('landingPageReviews')
    .values({
      programId,
      id: reviewId,
      pageId: page.id,
      revision,
      verdict,
      note,
      fields: [...fields],
      previousStatus: page.reviewStatus,
      previousApprovedRevision: page.approvedRevision,
      auditId: changeId,
      actorKind: actor.kind,
      actorId: actor.id,
      undoUntil,
      createdAt: tx.clock.now(),
    })
    .execute();
  return { reviewId, changeId };
}
