// Why a program can't be deleted: affiliates are owed money, or it is not known what they were paid. Test programs move no
// real money.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { centsOut, countOut } from '../../../platform/http/declaration/fields.ts';
import { formatCents } from '../../../platform/lib/currency.ts';

export const ObstacleShape = z.object({
  code: z.enum(['open_payouts', 'money_owed', 'payouts_locked']),
  count: countOut.describe('How many payouts are open, or how many affiliates are owed money. 0 for locked payouts.'),
  amountCents: centsOut.nullable().describe('The sum of these payouts or debts. Null for locked payouts.'),
});
export type Obstacle = z.output<typeof ObstacleShape>;

type Found = { mode: string; currency: string; payouts: number; payoutCents: number; owedTo: number; owedCents: number; isLocked: boolean };

/** Everything that prevents the deletion, and the currency of the amounts. */
export async function findObstacles({ db }: Pick<Context, 'db'>, programId: string): Promise<{ currency: string; obstacles: Obstacle[] }> {
  const { rows } = await sql<Found>`
    select program.mode, program.currency, open.payouts, open.payout_cents, owed.owed_to, owed.owed_cents,
      exists (select from payout_safety where program_id = ${programId} and locked_at is not null) as is_locked
    from programs as program,
      lateral (
        select count(*)::int as payouts, coalesce(sum(amount_cents), 0)::float8 as payout_cents from payouts
        where program_id = ${programId} and status in ('queued', 'sending', 'sent', 'unknown')
      ) as open,
      lateral (
        select count(*)::int as owed_to, coalesce(sum(owed_cents), 0)::float8 as owed_cents
        from (
          select greatest(pending_cents, 0) + greatest(available_cents, 0) + case when open.payouts = 0 then in_transit_cents else 0 end as owed_cents
          from ledger_balances where program_id = ${programId}
        ) as balance
        where owed_cents <> 0
      ) as owed
    where program.id = ${programId}`.execute(db);
  const [found] = rows;
  return found?.mode === 'live' ? { currency: found.currency, obstacles: toObstacles(found) } : { currency: '', obstacles: [] };
}

function toObstacles({ payouts, payoutCents, owedTo, owedCents, isLocked }: Found): Obstacle[] {
  const obstacles: Obstacle[] = [];
  if (payouts > 0) obstacles.push({ code: 'open_payouts', count: payouts, amountCents: payoutCents });
  if (owedTo > 0) obstacles.push({ code: 'money_owed', count: owedTo, amountCents: owedCents });
  if (isLocked) obstacles.push({ code: 'payouts_locked', count: 0, amountCents: null });
  return obstacles;
}

/** One obstacle as a sentence, for the command line and the log. */
export function describeObstacle({ code, count, amountCents }: Obstacle, currency: string): string {
  const amount = formatCents(amountCents ?? 0, currency);
  if (code === 'open_payouts') return `Payouts are in progress (${count}, ${amount}). Wait until they are paid, or cancel them.`;
  if (code === 'money_owed')
    return `Affiliates are owed money (${count}, ${amount}). Pay them, or adjust their commissions, before deleting the program.`;
  return 'Payouts are locked. Reconcile them before deleting the program.';
}

/** Whether the program paid affiliates real money, so that the law requires its records to be kept. */
export async function mustKeepRecords({ db }: Pick<Context, 'db'>, programId: string): Promise<boolean> {
  const payouts = db.selectFrom('payouts').innerJoin('programs', 'programs.id', 'payouts.programId').select('payouts.id');
  const paid = payouts.where('programId', '=', programId).where('payouts.status', '=', 'paid').where('programs.mode', '=', 'live');
  return (await paid.limit(1).executeTakeFirst()) !== undefined;
}
