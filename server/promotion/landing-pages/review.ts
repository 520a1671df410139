// The program's review of a page: a human action, never an API operation (Contract §3.2). It names the revision that was
// reviewed; a page that was written in the meantime is not approved.

import type { Tx } from '../../context.ts';
import { isLive } from '../../partners/affiliates/expand/landing-page-summary.ts';
import { setPageFigure, toPageState } from '../../partners/affiliates/totals/figures.ts';
import { recordChange } from '../../platform/audit/record.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { findPage, type PageRow } from './landing-page.ts';

export type Verdict = 'approved' | 'changes_requested';
type Review = { programId: string; slug: string; revision: number; verdict: Verdict; actor: Actor };

/** The page was written after the revision that was reviewed. */
export class StaleReview extends Error {}

/** Records the verdict. Throws NotFound for an unknown slug and StaleReview for a revision that is not the current one. */
export async function reviewPage(tx: Tx, { programId, slug, revision, verdict, actor }: Review): Promise<PageRow & { isLive: boolean }> {
  const page = await findPage(tx, programId, slug);
  if (!page) throw new NotFound();
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
    .executeTakeFirst();
  if (!reviewed) {
    throw new StaleReview(`The page is at revision ${page.revision}, not ${revision}. Review the current revision first.`);
  }
  await setPageFigure(tx, reviewed, toPageState(reviewed));
  await recordChange(tx, {
    programId,
    actor,
    action: `landing_page.${verdict}`,
    subjectId: page.id,
    before: { reviewStatus: page.reviewStatus },
    after: { reviewStatus: verdict, revision },
  });
  return { ...reviewed, isLive: isLive(reviewed) };
}
