// Clicks that are recorded but not yet in the totals of affiliates (fold-clicks.ts), and sales that are not yet in their
// figures (copy-figures.ts). A reader of a total adds them in its own statement: both come from one snapshot, so the sum is
// exact at any moment.
import { type RawBuilder, sql } from 'kysely';

/** The pending clicks of a program, as a query with the columns `day`, `affiliate_id` and `clicks`. */
export function pendingClicks(programId: string): RawBuilder<unknown> {
  return selectPending(sql`delta.program_id = ${programId}`);
}

/** The pending clicks of the programs that meet a condition on `delta.program_id`, with the column `program_id` too. */
export function selectPending(programs: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select delta.program_id, delta.day, added.affiliate_id, added.clicks from click_deltas as delta
    cross join lateral unnest(delta.affiliate_ids, delta.clicks) as added (affiliate_id, clicks) where ${programs}`;
}

/**
 * The lifetime clicks of the row `affiliate`, including pending ones. The subquery doesn't depend on the row, so PostgreSQL
 * runs it once per statement and looks each affiliate up in its result.
 */
export function lifetimeClicks(programId: string, affiliate: string): RawBuilder<number> {
  return sql<number>`(${sql.ref(`${affiliate}.clicks`)} + coalesce(((
    select jsonb_object_agg(affiliate_id, clicks)
    from (select affiliate_id, sum(clicks) as clicks from (${pendingClicks(programId)}) as pending group by 1) as pending
  ) ->> ${sql.ref(`${affiliate}.id`)}::text)::bigint, 0))`;
}

/** The pending sales of the programs that meet a condition on `program_id`. */
export function pendingSales(programs: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select change.program_id, sold.affiliate_id, sold.sales_cents
    from (select program_id, affiliate_ids, sales_cents from figure_changes as change where ${programs}) as change
    cross join lateral unnest(change.affiliate_ids, change.sales_cents) as sold (affiliate_id, sales_cents)
    where sold.sales_cents <> 0`;
}

/** The sales, less refunds, of the row `affiliate`, including pending ones. Its figures are joined as `figure`. */
export function lifetimeSales(programId: string): RawBuilder<number> {
  return sql<number>`(coalesce(figure.sales_cents, 0) + coalesce(((
    select jsonb_object_agg(affiliate_id, cents)
    from (
      select affiliate_id, sum(sales_cents) as cents from (${pendingSales(sql`change.program_id = ${programId}`)}) as sale group by 1
    ) as pending
  ) ->> affiliate.id::text)::bigint, 0))`;
}

/** When the newest order of the row `affiliate` occurred; `-infinity` without an order. */
export function lastSale(programId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((select max(occurred_at) from conversions as sold
    where sold.program_id = ${programId} and sold.affiliate_id = affiliate.id), '-infinity')`;
}
