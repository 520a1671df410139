import { sql } from 'kysely';
import type { Tx } from '../../../context.ts';

export type Addition = { conversions: number; commissionCents: number };

/** Adds to the lifetime totals (Contract §2.1) of affiliates, locked in the order of their ids. */
export async function addToTotals(tx: Tx, programId: string, additions: ReadonlyMap<string, Addition>): Promise<void> {
  if (additions.size === 0) return;
  const sums = [...additions.values()];
  await sql`
    with added as (
      select * from unnest(${[...additions.keys()]}::uuid[], ${sums.map(({ conversions }) => conversions)}::bigint[],
        ${sums.map(({ commissionCents }) => commissionCents)}::bigint[]) as row (id, conversions, commission_cents)
    ), locked as materialized (
      select affiliate.id from affiliates as affiliate join added using (id)
      where affiliate.program_id = ${programId} order by affiliate.id for no key update of affiliate
    )
    update affiliates as affiliate
    set conversions = affiliate.conversions + added.conversions, commission_cents = affiliate.commission_cents + added.commission_cents
    from added join locked using (id)
    where affiliate.program_id = ${programId} and affiliate.id = added.id`.execute(tx.db);
}
