// The figures that the console's table of affiliates sorts and filters by, one row per affiliate. What people change is
// copied in the transaction that changes it. Orders and money change more often than eleven indexes should: their
// transactions mark the affiliate, and its figures are copied within about a second (copy-figures.ts). Clicks arrive even
// more often: a job copies them every minute.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { forEachProgram } from '../../../platform/queue/each-program.ts';
import { job } from '../../../platform/queue/job.ts';
import { takeWork } from '../../../platform/queue/program-work.ts';

/** The state of an affiliate's landing page. `offline`: approved, but not published by the affiliate. */
export const PageState = z.enum(['none', 'draft', 'in_review', 'changes_requested', 'offline', 'live']).meta({ id: 'PageState' });
export type PageState = z.infer<typeof PageState>;

/** The state of a page; `none` without a page. */
export function toPageState(page: { isPublished: boolean; reviewStatus: string } | null): PageState {
  if (!page) return 'none';
  if (page.reviewStatus === 'changes_requested') return 'changes_requested';
  if (page.reviewStatus === 'approved') return page.isPublished ? 'live' : 'offline';
  return page.isPublished ? 'in_review' : 'draft';
}

type Owner = { programId: string; affiliateId: string };

/** Creates the rows of new affiliates. */
export async function createFigures(tx: Tx, programId: string, affiliates: readonly { id: string; status: string }[]): Promise<void> {
  const rows = affiliates.map(({ id, status }) => ({ programId, affiliateId: id, status }));
  await tx.db.insertInto('affiliateFigures').values(rows).execute();
}

/** Call in the transaction that changes the status. */
export async function setStatusFigure(tx: Tx, { programId, affiliateId }: Owner, status: string): Promise<void> {
  const figures = tx.db.updateTable('affiliateFigures').set({ status }).where('programId', '=', programId);
  await figures.where('affiliateId', '=', affiliateId).execute();
}

/** Call in the transaction that writes or reviews the page. */
export async function setPageFigure(tx: Tx, { programId, affiliateId }: Owner, state: PageState): Promise<void> {
  const figures = tx.db.updateTable('affiliateFigures').set({ pageState: state }).where('programId', '=', programId);
  await figures.where('affiliateId', '=', affiliateId).execute();
}

/** Call in the transaction that sets or deletes payout details. */
export async function setPayoutDetailsFigure(tx: Tx, { programId, affiliateId }: Owner, hasPayoutDetails: boolean): Promise<void> {
  const figures = tx.db.updateTable('affiliateFigures').set({ hasPayoutDetails }).where('programId', '=', programId);
  await figures.where('affiliateId', '=', affiliateId).execute();
}

/** How long before they were folded clicks were recorded: longer only while nothing folds. */
const clickWindowMs = 15 * 60_000;

export const copyClickFigures = job({
  name: 'affiliates.copy-click-figures',
  retries: 0,
  cron: '* * * * *',
  async run(ctx) {
    await forEachProgram(ctx, {
      find: (scope) => sql`select program_id from program_work where kind = 'click_figures' and ${scope}`,
      run: (programId) => transact(ctx, (tx) => copyRecentClicks(tx, programId)),
    });
  },
});

/**
 * Copies the totals of affiliates with clicks since the last run. Their days are read and not their clicks, of which there can
 * be millions. No time zone's date is earlier than the day before in UTC.
 */
async function copyRecentClicks(tx: Tx, programId: string): Promise<void> {
  const foldedAt = await takeWork(tx, programId, 'click_figures');
  if (foldedAt === null) return;
  const since = new Date(foldedAt.getTime() - clickWindowMs);
  await sql`
    update affiliate_figures as figure set clicks = affiliate.clicks
    from (
      select distinct affiliate_id from daily_totals
      where program_id = ${programId} and day >= (${since}::timestamptz at time zone 'UTC')::date - 1 and clicks > 0
    ) as recent join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = recent.affiliate_id
    where figure.program_id = ${programId} and figure.affiliate_id = affiliate.id and figure.clicks <> affiliate.clicks`.execute(tx.db);
}
