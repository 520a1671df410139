import { sql } from 'kysely';
import type { Tx } from '../../context.ts';

/** The part of a commission that a payout settles; below 0, what it returns. */
export type Settled = { commissionId: string; cents: number };

/** Adds to the settled amounts (in transit or paid) of commissions. The ledger must be locked. */
export async function addSettled(tx: Tx, programId: string, settled: readonly Settled[]): Promise<void> {
  const rows = settled.flatMap(({ commissionId, cents }) => (cents === 0 ? [] : [{ id: commissionId, cents }]));
  if (rows.length === 0) return;
  await sql`
    update commissions as commission set settled_cents = settled_cents + change.cents, updated_at = ${tx.clock.now()}
    from (select id, sum(cents)::bigint as cents from json_to_recordset(${JSON.stringify(rows)}::json) as row (id uuid, cents bigint)
      group by id having sum(cents) <> 0) as change
    where commission.program_id = ${programId} and commission.id = change.id`.execute(tx.db);
}
