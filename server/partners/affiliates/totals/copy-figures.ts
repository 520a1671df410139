// Adds the changes of sales to the figures of marked affiliates, and copies their totals and balances. A popular affiliate's
// row is updated once for many orders. Any number of processes can copy at the same time.
import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { drain } from './drain.ts';
import { lastSale } from './pending.ts';

const marksPerTransaction = 200;

/** Copies everything that is marked. */
export async function copyFigures(ctx: Context): Promise<void> {
  await drain(ctx, { table: 'figure_changes', size: marksPerTransaction, run: copyMarked });
}

/** Marks that another process is copying are skipped. Returns the number of marks. */
async function copyMarked(tx: Tx, programId: string): Promise<number> {
  const { rows: marks } = await sql<{ affiliateIds: string[]; salesCents: (number | string)[] }>`
    delete from figure_changes where program_id = ${programId} and id in (
      select id from figure_changes where program_id = ${programId} order by id limit ${marksPerTransaction} for update skip locked)
    returning affiliate_ids, sales_cents`.execute(tx.db);
  if (marks.length === 0) return 0;
  const sales = new Map<string, number>();
  for (const mark of marks)
    for (const [index, id] of mark.affiliateIds.entries()) sales.set(id, (sales.get(id) ?? 0) + Number(mark.salesCents[index] ?? 0));
  const affiliateIds = [...sales.keys()];
  // Of two processes that copy the same affiliate, the one that waits for this lock reads the newer totals.
  await sql`
    select from affiliate_figures where program_id = ${programId} and affiliate_id = any(${affiliateIds}::uuid[])
    order by affiliate_id for no key update`.execute(tx.db);
  await sql`
    update affiliate_figures as figure set conversions = source.conversions, sales_cents = figure.sales_cents + source.added_cents,
      commission_cents = source.commission_cents, last_sale_at = source.last_sale_at, balance_cents = source.balance_cents
    from (
      select affiliate.id, affiliate.conversions, sold.added_cents, affiliate.commission_cents,
        ${lastSale(sql`${programId}`)} as last_sale_at, coalesce(balance.available_cents, 0) as balance_cents
      from unnest(${affiliateIds}::uuid[], ${[...sales.values()]}::bigint[]) as sold (affiliate_id, added_cents)
      join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = sold.affiliate_id
      left join ledger_balances as balance on balance.program_id = ${programId} and balance.affiliate_id = affiliate.id
    ) as source
    where figure.program_id = ${programId} and figure.affiliate_id = source.id
      and (source.added_cents <> 0 or (figure.conversions, figure.commission_cents, figure.last_sale_at, figure.balance_cents)
        is distinct from (source.conversions, source.commission_cents, source.last_sale_at, source.balance_cents))`.execute(tx.db);
  return marks.length;
}
