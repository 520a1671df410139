// Checks bounties for orders, every minute: affiliates whose orders changed since the last check, or all after a change of the
// bounty. Whatever changed an order (a refund, its undoing, fraud, a move), the same comparison decides about the bonus.
import { sql } from 'kysely';
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Context, Tx } from '../../../context.ts';
import { numberEvents, readLogEnd } from '../../../messaging/events/number.ts';
import { transact } from '../../../platform/db/transact.ts';
import { forEachProgram } from '../../../platform/queue/each-program.ts';
import { job } from '../../../platform/queue/job.ts';
import { openLedger } from '../../ledger/post.ts';
import { lockBounty } from '../bounty.ts';
import { giveBack, payBonuses, takeBack } from './award.ts';
import { findAwards, findChanged, findProgress } from './find-progress.ts';
import { planAwards } from './plan-awards.ts';

/** Orders of the program wait for each transaction. */
const bonusesPerTransaction = 25;

const actor = { kind: 'schedule' as const, id: 'bounties.check' };

export const checkBounties = job<Record<string, never>>({
  name: actor.id,
  retries: 0,
  cron: '* * * * *',
  run: (ctx) =>
    forEachProgram(ctx, {
      find: (scope) => sql`select distinct program_id from bounties where status = 'active' and milestone <> 'content' and ${scope}`,
      run: checkProgram,
    }),
});

/** Checks all bounties of a program. */
export async function checkProgram(programId: string, ctx: Context): Promise<void> {
  const bounties = ctx.db.selectFrom('bounties').select('id').where('programId', '=', programId);
  const ids = await bounties.where('status', '=', 'active').where('milestone', '<>', 'content').orderBy('id').execute();
  if (ids.length === 0) return;
  await numberEvents(ctx, programId);
  for (const { id } of ids) while (await transact(ctx, (tx) => checkNext(tx, { programId, id, limit: bonusesPerTransaction })));
}

/** Pays up to `limit` bonuses of a bounty. False at the end. */
export async function checkNext(tx: Tx, { programId, id, limit }: { programId: string; id: string; limit: number }): Promise<boolean> {
  // Most minutes have no new event, and then don't lock the ledger.
  const end = await readLogEnd(tx, programId);
  const seen = await tx.db
    .selectFrom('bounties')
    .select('checkedPosition')
    .where('programId', '=', programId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!seen || (seen.checkedPosition !== null && seen.checkedPosition >= end)) return false;
  const ledger = await openLedger(tx, programId);
  const bounty = await lockBounty(tx, programId, id);
  if (bounty.status !== 'active' || (bounty.checkedPosition !== null && bounty.checkedPosition >= end)) return false;
  const { timezone } = await getProgram(tx, programId);
  const affiliateIds = bounty.checkedPosition === null ? null : await findChanged(tx, programId, bounty.checkedPosition);
  const progress = await findProgress(tx, bounty, { timezone, affiliateIds });
  const awards = await findAwards(tx, bounty, affiliateIds);
  const { budgetCents, spentCents, rewardCents } = bounty;
  const leftCents = budgetCents === null ? null : budgetCents - spentCents;
  const plan = planAwards({ rewardCents, leftCents, progress, awards });
  const setChecked = (checkedPosition: number | null) =>
    tx.db.updateTable('bounties').set({ checkedPosition }).where('programId', '=', programId).where('id', '=', id).execute();
  await takeBack(tx, ledger, bounty, plan.reversed, actor);
  // The freed budget is for those who reached the milestone first, which may be an affiliate who was not checked now.
  if (plan.isBudgetFreed && affiliateIds !== null) {
    await setChecked(null);
    return true;
  }
  await giveBack(tx, ledger, bounty, plan.restored, actor);
  await payBonuses(tx, ledger, bounty, { affiliateIds: plan.earned.slice(0, limit), actor });
  if (plan.earned.length > limit) return true;
  await setChecked(end);
  return false;
}
