// Lifetime totals (Contract §2.1) recalculated from clicks, conversions and commissions, for a repair, and the figures of
// affiliates compared with their sources.
import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import type { WrongTotal } from './find-wrong-totals.ts';
import { lastSale, pendingClicks, pendingSales } from './pending.ts';

/** Clicks that are pending are added to the total when they are folded. */
const selectFacts = (programId: string) => sql`
  select affiliate.id,
    (select count(*) from clicks as fact where fact.program_id = ${programId} and fact.affiliate_id = affiliate.id)
      - coalesce(pending.clicks, 0) as clicks,
    (select count(*) from conversions as fact where fact.program_id = ${programId} and fact.affiliate_id = affiliate.id) as conversions,
    (select coalesce(sum(fact.amount_cents - fact.reversed_cents), 0)::bigint from commissions as fact
      where fact.program_id = ${programId} and fact.affiliate_id = affiliate.id) as commission_cents
  from affiliates as affiliate
  left join (
    select affiliate_id, sum(clicks)::bigint as clicks from (${pendingClicks(programId)}) as pending group by 1
  ) as pending on pending.affiliate_id = affiliate.id
  where affiliate.program_id = ${programId}`;

/** The row of figures that each affiliate of a program should have, by the sources of its columns, without its sales. */
const selectFigures = (programId: string) => sql`
  select affiliate.program_id, affiliate.id as affiliate_id, affiliate.status, affiliate.clicks, affiliate.conversions, affiliate.commission_cents,
    coalesce(balance.available_cents, 0) as balance_cents,
    ${lastSale(sql`${programId}`)} as last_sale_at,
    case
      when page.id is null then 'none'
      when page.review_status = 'changes_requested' then 'changes_requested'
      when page.review_status = 'approved' then case when page.is_published then 'live' else 'offline' end
      else case when page.is_published then 'in_review' else 'draft' end
    end as page_state,
    detail.affiliate_id is not null as has_payout_details
  from affiliates as affiliate
  left join ledger_balances as balance on balance.program_id = ${programId} and balance.affiliate_id = affiliate.id
  left join landing_pages as page on page.program_id = ${programId} and page.affiliate_id = affiliate.id
  left join payout_details as detail on detail.program_id = ${programId} and detail.affiliate_id = affiliate.id
  where affiliate.program_id = ${programId}`;

/** Recalculates the totals of a program's affiliates, which must be locked. Returns how many changed. */
export async function recountTotals(tx: Tx, programId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update affiliates as affiliate
    set clicks = fact.clicks, conversions = fact.conversions, commission_cents = fact.commission_cents
    from (${selectFacts(programId)}) as fact
    where affiliate.program_id = ${programId} and affiliate.id = fact.id
      and (affiliate.clicks, affiliate.conversions, affiliate.commission_cents)
        is distinct from (fact.clicks, fact.conversions, fact.commission_cents)`.execute(tx.db);
  await recountFigures(tx, programId);
  return Number(numAffectedRows ?? 0);
}

/** Writes the rows of figures of a program again, including missing ones. */
async function recountFigures(tx: Tx, programId: string): Promise<void> {
  await sql`delete from affiliate_figures where program_id = ${programId}`.execute(tx.db);
  await sql`
    insert into affiliate_figures (program_id, affiliate_id, status, clicks, conversions, commission_cents, balance_cents, last_sale_at,
      page_state, has_payout_details)
    ${selectFigures(programId)}`.execute(tx.db);
  await sql`
    update affiliate_figures as figure set sales_cents = sold.cents
    from (
      select affiliate_id, sum(cents)::bigint as cents from (
        select affiliate_id, amount_cents - refunded_cents as cents from conversions where program_id = ${programId}
        union all select affiliate_id, -sales_cents from (${pendingSales(sql`change.program_id = ${programId}`)}) as pending
      ) as sale group by affiliate_id
    ) as sold
    where figure.program_id = ${programId} and figure.affiliate_id = sold.affiliate_id`.execute(tx.db);
}

/** Affiliates whose row of figures differs from its sources. Clicks, and marked affiliates, are copied later and not compared. */
export async function findWrongFigures(ctx: Pick<Context, 'db'>, programId: string): Promise<WrongTotal[]> {
  const { rows } = await sql<WrongTotal>`
    select source.program_id, source.affiliate_id,
      json_build_object('conversions', figure.conversions, 'commission_cents', figure.commission_cents,
        'balance_cents', figure.balance_cents) as stored,
      json_build_object('conversions', source.conversions, 'commission_cents', source.commission_cents,
        'balance_cents', source.balance_cents) as expected
    from (${selectFigures(programId)}) as source
    left join affiliate_figures as figure on figure.program_id = ${programId} and figure.affiliate_id = source.affiliate_id
    where (figure.status, figure.conversions, figure.commission_cents, figure.balance_cents, figure.last_sale_at, figure.page_state,
        figure.has_payout_details)
      is distinct from (source.status, source.conversions, source.commission_cents, source.balance_cents, source.last_sale_at,
        source.page_state, source.has_payout_details)
      and not exists (
        select from figure_changes as change where change.program_id = ${programId} and source.affiliate_id = any(change.affiliate_ids))
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
