import { sql } from 'kysely';
import type { Tx } from '../../context.ts';

/** What a payout takes of a commission, or gives back when `cents` is below 0. */
export type Settled = { commissionId: string; cents: number };

/** Adds to what is settled (on its way, or paid) of commissions. The ledger must be open. */
export async function addSettled(tx: Tx, programId: string, settled: readonly Settled[]): Promise<void> {
  const rows = settled.flatMap(({ commissionId, cents }) => (cents === 0 ? [] : [{ id: commissionId, cents }]));
  if (rows.length === 0) return;
  await sql`
    update commissions as commission set settled_cents = settled_cents + word.cents, updated_at = ${tx.clock.now()}
    from (select id, sum(cents)::bigint as cents from json_to_recordset(${JSON.stringify(rows)}::json) as word (id uuid, cents bigint)
      group by id having sum(cents) <> 0) as word
    where commission.program_id = ${programId} and commission.id = word.id`.execute(tx.db);
}
