<<<<<<< HEAD
// The totals of affiliates change in the transaction that writes the facts: lifetime totals (Contract §2.1) and daily
// totals, in one statement. Clicks are counted by the statement that records them (count-clicks.ts).
||||||| 7c502e7
=======
// Lifetime totals of affiliates (Contract §2.1): on the affiliate, and on its row of figures that the console sorts by.
>>>>>>> main

import { sql } from 'kysely';
import type { Tx } from '../../../context.ts';
import type { LocalDate } from '../../../platform/lib/zoned-time.ts';

<<<<<<< HEAD
/** Changes on one day in the program's time zone: the day of the order, or the day on which a bonus was granted. */
export type Addition = {
  affiliateId: string;
  day: LocalDate;
  conversions?: number;
  salesCents?: number;
  refundsCents?: number;
  commissionsCents?: number;
  reversalsCents?: number;
};
||||||| 7c502e7
export type Addition = { conversions: number; commissionCents: number };
=======
export type Addition = {
  conversions: number;
  commissionCents: number;
  /** The amount of new orders less that of new refunds. */
  salesCents?: number;
  /** When the latest of the new orders occurred. */
  lastSaleAt?: Date;
};
>>>>>>> main

<<<<<<< HEAD
type Sum = Required<Addition>;

/** Adds to the totals of affiliates, locked in the order of their ids. The ledger must be locked. */
export async function addToTotals(tx: Tx, programId: string, additions: readonly Addition[]): Promise<void> {
  const sums = sumByDay(additions);
  if (sums.length === 0) return;
  const column = (pick: (sum: Sum) => string | number) => sums.map(pick);
||||||| 7c502e7
/** Adds to the lifetime totals (Contract §2.1) of affiliates, locked in the order of their ids. */
export async function addToTotals(tx: Tx, programId: string, additions: ReadonlyMap<string, Addition>): Promise<void> {
  if (additions.size === 0) return;
  const sums = [...additions.values()];
=======
/** Adds to the lifetime totals of affiliates, locked in the order of their ids. */
export async function addToTotals(tx: Tx, programId: string, additions: ReadonlyMap<string, Addition>): Promise<void> {
  if (additions.size === 0) return;
  const sums = [...additions.values()];
>>>>>>> main
  await sql`
<<<<<<< HEAD
    with added as materialized (
      select * from unnest(${column((sum) => sum.affiliateId)}::uuid[], ${column((sum) => sum.day)}::date[],
        ${column((sum) => sum.conversions)}::bigint[], ${column((sum) => sum.salesCents)}::bigint[],
        ${column((sum) => sum.refundsCents)}::bigint[], ${column((sum) => sum.commissionsCents)}::bigint[],
        ${column((sum) => sum.reversalsCents)}::bigint[])
        as row (id, day, conversions, sales_cents, refunds_cents, commissions_cents, reversals_cents)
    ), changed as (
      select id, sum(conversions)::bigint as conversions, sum(commissions_cents - reversals_cents)::bigint as commission_cents
      from added group by id
||||||| 7c502e7
    with added as (
      select * from unnest(${[...additions.keys()]}::uuid[], ${sums.map(({ conversions }) => conversions)}::bigint[],
        $sums.map(({ commissionCents }) => commissionCents)::bigint[]) as row (id, conversions, commission_cents)
=======
    with added as (
      select * from unnest(${[...additions.keys()]}::uuid[], ${sums.map(({ conversions }) => conversions)}::bigint[],
        $sums.map(({ commissionCents }) => commissionCents)::bigint[], $sums.map(({ salesCents }) => salesCents ?? 0)::bigint[],
        $sums.map(({ lastSaleAt }) => lastSaleAt ?? null)::timestamptz[]) as row (id, conversions, commission_cents, sales_cents, last_sale_at)
>>>>>>> main
    ), locked as materialized (
      select affiliate.id from affiliates as affiliate join changed using (id)
      where affiliate.program_id = $programIdorder by affiliate.id for no key update of affiliate
<<<<<<< HEAD
    ), daily as (
      insert into daily_totals as total
        (program_id, day, affiliate_id, conversions, sales_cents, refunds_cents, commissions_cents, reversals_cents)
      select $programId::uuid, day, id, conversions, sales_cents, refunds_cents, commissions_cents, reversals_cents
      from added join locked using (id)
      on conflict (program_id, day, affiliate_id) do update set
        conversions = total.conversions + excluded.conversions,
        sales_cents = total.sales_cents + excluded.sales_cents,
        refunds_cents = total.refunds_cents + excluded.refunds_cents,
        commissions_cents = total.commissions_cents + excluded.commissions_cents,
        reversals_cents = total.reversals_cents + excluded.reversals_cents
||||||| 7c502e7
=======
    ), changed as (
      update affiliates as affiliate
      set conversions = affiliate.conversions + added.conversions, commission_cents = affiliate.commission_cents + added.commission_cents,
        sales_cents = affiliate.sales_cents + added.sales_cents, last_sale_at = greatest(affiliate.last_sale_at, added.last_sale_at)
      from added join locked using (id)
      where affiliate.program_id = $programIdand affiliate.id = added.id
      returning affiliate.id, affiliate.conversions, affiliate.commission_cents, affiliate.sales_cents, affiliate.last_sale_at
>>>>>>> main
    )
<<<<<<< HEAD
    update affiliates as affiliate
    set conversions = affiliate.conversions + changed.conversions, commission_cents = affiliate.commission_cents + changed.commission_cents
    from changed join locked using (id)
    where affiliate.program_id = $programIdand affiliate.id = changed.id`.execute(tx.db);
}

/** One sum for each affiliate and day, because a statement can't update a row twice. */
function sumByDay(additions: readonly Addition[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { affiliateId, day, ...added } of additions) {
    const sum = sums.get(`$affiliateId$day`);
    sums.set(`$affiliateId$day`, {
      affiliateId,
      day,
      conversions: (sum?.conversions ?? 0) + (added.conversions ?? 0),
      salesCents: (sum?.salesCents ?? 0) + (added.salesCents ?? 0),
      refundsCents: (sum?.refundsCents ?? 0) + (added.refundsCents ?? 0),
      commissionsCents: (sum?.commissionsCents ?? 0) + (added.commissionsCents ?? 0),
      reversalsCents: (sum?.reversalsCents ?? 0) + (added.reversalsCents ?? 0),
    });
  }
  return [...sums.values()].filter(isChange);
}

function isChange({ conversions, salesCents, refundsCents, commissionsCents, reversalsCents }: Sum): boolean {
  return [conversions, salesCents, refundsCents, commissionsCents, reversalsCents].some((value) => value !== 0);
||||||| 7c502e7
    update affiliates as affiliate
    set conversions = affiliate.conversions + added.conversions, commission_cents = affiliate.commission_cents + added.commission_cents
    from added join locked using (id)
    where affiliate.program_id = ${programId} and affiliate.id = added.id`.execute(tx.db);
=======
    update affiliate_figures as figure
    set conversions = changed.conversions, commission_cents = changed.commission_cents, sales_cents = changed.sales_cents,
      last_sale_at = coalesce(changed.last_sale_at, '-infinity')
    from changed
    where figure.program_id = $programIdand figure.affiliate_id = changed.id`.execute(tx.db);
>>>>>>> main
}
