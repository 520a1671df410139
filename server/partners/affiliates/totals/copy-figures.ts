// Copies the totals and balances of marked affiliates to their rows of figures. A popular affiliate's row is so updated
// for many orders at once. Any number of processes can copy at the same time.
import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { drain } from './drain.ts';

const marksPerTransaction = 200;

/** Copies everything that is marked. */
export async function copyFigures(ctx: Context): Promise<void> {
  await drain(ctx, { table: 'figure_changes', size: marksPerTransaction, run: copyMarked });
}

/** Marks that another process is copying are skipped. Returns the number of marks. */
async function copyMarked(tx: Tx, programId: string): Promise<number> {
  const { rows: marks } = await sql<{ affiliateIds: string[] }>`
    delete from figure_changes where program_id = ${programId} and id in (
      select id from figure_changes where program_id = ${programId} order by id limit ${marksPerTransaction} for update skip locked)
    returning affiliate_ids`.execute(tx.db);
  if (marks.length === 0) return 0;
  const affiliateIds = [...new Set(marks.flatMap((mark) => mark.affiliateIds))];
  // Of two processes that copy the same affiliate, the one that waits for this lock reads the newer totals.
  await sql`
    select from affiliate_figures where program_id = ${programId} and affiliate_id = any(${affiliateIds}::uuid[])
    order by affiliate_id for no key update`.execute(tx.db);
  await sql`
    update affiliate_figures as figure set conversions = source.conversions, sales_cents = source.sales_cents,
      commission_cents = source.commission_cents, last_sale_at = source.last_sale_at, balance_cents = source.balance_cents
    from (
      select affiliate.id, affiliate.conversions, affiliate.sales_cents, affiliate.commission_cents,
        coalesce(affiliate.last_sale_at, '-infinity') as last_sale_at, coalesce(balance.available_cents, 0) as balance_cents
      from affiliates as affiliate
      left join ledger_balances as balance on balance.program_id = ${programId} and balance.affiliate_id = affiliate.id
      where affiliate.program_id = ${programId} and affiliate.id = any(${affiliateIds}::uuid[])
    ) as source
    where figure.program_id = ${programId} and figure.affiliate_id = source.id
      and (figure.conversions, figure.sales_cents, figure.commission_cents, figure.last_sale_at, figure.balance_cents)
        is distinct from (source.conversions, source.sales_cents, source.commission_cents, source.last_sale_at, source.balance_cents)`.execute(
    tx.db,
  );
  return marks.length;
}
