// A program's money by its state, to the cent: the same sums as the forecast, the payouts and the balances of the API.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';

export type MoneyByState = {
  pendingCents: number;
  pendingAffiliates: number;
  nextMaturesAt: Date | null;
  heldCents: number;
  heldAffiliates: number;
  heldConversions: number;
  readyCents: number;
  readyAffiliates: number;
  debtCents: number;
  debtAffiliates: number;
  inTransitCents: number;
  inTransitAffiliates: number;
  inTransitSince: Date | null;
  paidCents: number;
  paidAffiliates: number;
  lastPaidAt: Date | null;
};

type Query = { now: Date; paidFrom: Date; paidTo: Date };

/**
 * One statement, so that all amounts are from the same snapshot. Commissions are ready from the moment they mature, although
 * the schedule posts them to the ledger up to five minutes later.
 */
export async function readMoney(ctx: Pick<Context, 'db'>, programId: string, { now, paidFrom, paidTo }: Query): Promise<MoneyByState> {
  const { rows } = await sql<MoneyByState>`
    with waiting as materialized (
      select affiliate_id, matures_at, amount_cents - reversed_cents - settled_cents as cents
      from commissions where program_id = ${programId} and status = 'pending'
    ), matured as materialized (
      select affiliate_id, sum(cents) as cents from waiting where matures_at <= ${now} group by 1
    ), owed as materialized (
      select coalesce(balance.available_cents, 0) + coalesce(matured.cents, 0) as cents, coalesce(balance.in_transit_cents, 0) as in_transit
      from (select * from ledger_balances where program_id = ${programId}) as balance full join matured using (affiliate_id)
    ),
    pending as (select coalesce(sum(cents), 0)::bigint as pending_cents, count(distinct affiliate_id) as pending_affiliates,
      min(matures_at) as next_matures_at from waiting where matures_at > ${now}),
    held as (select coalesce(sum(amount_cents - reversed_cents - settled_cents), 0)::bigint as held_cents,
      count(distinct affiliate_id) as held_affiliates, count(distinct coalesce(conversion_id, id)) as held_conversions
      from commissions where program_id = ${programId} and status = 'held'),
    owing as (select coalesce(sum(greatest(cents, 0)), 0)::bigint as ready_cents, count(*) filter (where cents > 0) as ready_affiliates,
      coalesce(sum(greatest(-cents, 0)), 0)::bigint as debt_cents, count(*) filter (where cents < 0) as debt_affiliates,
      coalesce(sum(in_transit), 0)::bigint as in_transit_cents, count(*) filter (where in_transit > 0) as in_transit_affiliates from owed),
    sent as (select min(created_at) as in_transit_since from payouts
      where program_id = ${programId} and status in ('queued', 'sending', 'sent', 'unknown')),
    paid as (select coalesce(sum(amount_cents), 0)::bigint as paid_cents, count(distinct affiliate_id) as paid_affiliates,
      max(settled_at) as last_paid_at
      from payouts where program_id = ${programId} and status = 'paid' and settled_at >= ${paidFrom} and settled_at < ${paidTo})
    select * from pending, held, owing, sent, paid`.execute(ctx.db);
  const [money] = rows;
  if (!money) throw new Error('The sums of the program are missing.');
  return money;
}
