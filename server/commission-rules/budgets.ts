// Keeping what rules with a budget have paid. The books are locked, so nobody else spends meanwhile.
import { sql } from 'kysely';
import type { Tx } from '../context.ts';
import type { Running } from './running.ts';

/** Writes what the budgets have paid by now; `running.spent` is the new truth for its keys. */
export async function keepBudgets(tx: Tx, programId: string, { spent }: Running): Promise<void> {
  if (spent.size === 0) return;
  const rows = [...spent].map(([key, cents]) => ({ rule: key.split(' ')[0], start: key.split(' ')[1], cents }));
  await sql`
    insert into commission_rule_budgets (program_id, rule_id, period_start, spent_cents)
    select ${programId}::uuid, rule, start, cents
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as kept (rule uuid, start date, cents bigint)
    on conflict (program_id, rule_id, period_start) do update set spent_cents = excluded.spent_cents`.execute(tx.db);
}
