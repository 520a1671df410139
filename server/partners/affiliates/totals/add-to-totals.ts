// Lifetime totals of affiliates (Contract §2.1): on the affiliate, and on its row of figures that the console sorts by.
import { sql } from 'kysely';
import type { Tx } from '../../../context.ts';

export type Addition = {
  conversions: number;
  commissionCents: number;
  /** The amount of new orders less that of new refunds. */
  salesCents?: number;
  /** When the latest of the new orders occurred. */
  lastSaleAt?: Date;
};

/** Adds to the lifetime totals of affiliates, locked in the order of their ids. */
export async function addToTotals(tx: Tx, programId: string, additions: ReadonlyMap<string, Addition>): Promise<void> {
  if (additions.size === 0) return;
  const sums = [...additions.values()];
  await sql`
    with added as (
      select * from unnest(${[...additions.keys()]}::uuid[], ${sums.map(({ conversions }) => conversions)}::bigint[],
        ${sums.map(({ commissionCents }) => commissionCents)}::bigint[], ${sums.map(({ salesCents }) => salesCents ?? 0)}::bigint[],
        ${sums.map(({ lastSaleAt }) => lastSaleAt ?? null)}::timestamptz[]) as row (id, conversions, commission_cents, sales_cents, last_sale_at)
    ), locked as materialized (
      select affiliate.id from affiliates as affiliate join added using (id)
      where affiliate.program_id = ${programId} order by affiliate.id for no key update of affiliate
    ), changed as (
      update affiliates as affiliate
      set conversions = affiliate.conversions + added.conversions, commission_cents = affiliate.commission_cents + added.commission_cents,
        sales_cents = affiliate.sales_cents + added.sales_cents, last_sale_at = greatest(affiliate.last_sale_at, added.last_sale_at)
      from added join locked using (id)
      where affiliate.program_id = ${programId} and affiliate.id = added.id
      returning affiliate.id, affiliate.conversions, affiliate.commission_cents, affiliate.sales_cents, affiliate.last_sale_at
    )
    update affiliate_figures as figure
    set conversions = changed.conversions, commission_cents = changed.commission_cents, sales_cents = changed.sales_cents,
      last_sale_at = coalesce(changed.last_sale_at, '-infinity')
    from changed
    where figure.program_id = ${programId} and figure.affiliate_id = changed.id`.execute(tx.db);
}
