// Lifetime totals (Contract §2.1) recalculated from clicks, conversions and commissions, for `tributary verify`.
import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';

const facts = sql`
  select affiliate.program_id, affiliate.id,
    (select count(*) from clicks as fact where fact.program_id = affiliate.program_id and fact.affiliate_id = affiliate.id) as clicks,
    (select count(*) from conversions as fact where fact.program_id = affiliate.program_id and fact.affiliate_id = affiliate.id) as conversions,
    (select coalesce(sum(fact.amount_cents - fact.reversed_cents), 0)::bigint from commissions as fact
      where fact.program_id = affiliate.program_id and fact.affiliate_id = affiliate.id) as commission_cents
  from affiliates as affiliate`;

/** Recalculates the totals of a program's affiliates. Returns how many changed. */
export async function recountTotals(tx: Tx, programId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update affiliates as affiliate
    set clicks = fact.clicks, conversions = fact.conversions, commission_cents = fact.commission_cents
    from (${facts} where affiliate.program_id = ${programId}) as fact
    where affiliate.program_id = fact.program_id and affiliate.id = fact.id
      and (affiliate.clicks, affiliate.conversions, affiliate.commission_cents)
        is distinct from (fact.clicks, fact.conversions, fact.commission_cents)`.execute(tx.db);
  return Number(numAffectedRows ?? 0);
}

export type WrongTotal = { programId: string; affiliateId: string };

/** Affiliates whose totals are wrong. */
export async function findWrongTotals(ctx: Pick<Context, 'db'>): Promise<WrongTotal[]> {
  const { rows } = await sql<WrongTotal>`
    select affiliate.program_id, affiliate.id as affiliate_id
    from affiliates as affiliate join (${facts}) as fact on fact.program_id = affiliate.program_id and fact.id = affiliate.id
    where (affiliate.clicks, affiliate.conversions, affiliate.commission_cents)
      is distinct from (fact.clicks, fact.conversions, fact.commission_cents)
    order by 1, 2 limit 1000`.execute(ctx.db);
  return rows;
}

/** Recalculates the counts per status of a program. */
export async function recountStatuses(tx: Tx, programId: string): Promise<void> {
  await sql`delete from affiliate_counts where program_id = ${programId}`.execute(tx.db);
  await sql`
    insert into affiliate_counts (program_id, status, affiliates)
    select program_id, status, count(*) from affiliates where program_id = ${programId} group by 1, 2`.execute(tx.db);
}
