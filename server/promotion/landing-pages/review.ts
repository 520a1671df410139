// The brand's verdict on a page: a person's act, never an API operation (Contract §3.2). It names the
// revision that was read; a page that was written meanwhile is not approved.

import type { Tx } from '../../context.ts';
import { isLive } from '../../partners/affiliates/landing-page-summary.ts';
import { recordChange } from '../../platform/audit/record.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { findPage, type PageRow } from './landing-page.ts';

export type Verdict = 'approved' | 'changes_requested';
type Review = { programId: string; slug: string; revision: number; verdict: Verdict; actor: Actor };

/** The page was written after the revision that was reviewed. */
export class StaleReview extends Error {}

/** Gives the verdict. Throws NotFound for an unknown slug and StaleReview for a revision that isn't the current one. */
export async function reviewPage(tx: Tx, { programId, slug, revision, verdict, actor }: Review): Promise<PageRow & { isLive: boolean }> {
  const page = await findPage(tx, programId, slug);
  if (!page) throw new NotFound();
  const reviewed = await tx.db
    .updateTable('landingPages')
    .set({ reviewStatus: verdict, ...(verdict === 'approved' && { approvedRevision: revision }), updatedAt: tx.clock.now() })
    .where('programId', '=', programId)
    .where('id', '=', page.id)
    .where('revision', '=', revision)
    .returningAll()
    .executeTakeFirst();
  if (!reviewed) {
    throw new StaleReview(`The page is at revision ${page.revision}, not ${revision}: read it again before you decide.`);
  }
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
