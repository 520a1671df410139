import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import type { Row } from './commission.ts';
import { addToCounts } from './counts.ts';

/** The part of a commission that a payout settles; below 0, what it returns. */
export type Settled = { commissionId: string; cents: number };

/** Adds to the settled amounts (in transit or paid) of commissions. The ledger must be locked. */
export async function addSettled(tx: Tx, programId: string, settled: readonly Settled[]): Promise<void> {
  const rows = settled.flatMap(({ commissionId, cents }) => (cents === 0 ? [] : [{ id: commissionId, cents }]));
  if (rows.length === 0) return;
  const { rows: changed } = await sql<Row & { addedCents: number }>`
    update commissions as commission set settled_cents = settled_cents + change.cents, updated_at = ${tx.clock.now()}
    from (select id, sum(cents)::bigint as cents from json_to_recordset(${JSON.stringify(rows)}::json) as row (id uuid, cents bigint)
      group by id having sum(cents) <> 0) as change
    where commission.program_id = ${programId} and commission.id = change.id
    returning affiliate_id, commission.created_at, kind, status, amount_cents, reversed_cents, settled_cents, change.cents as added_cents`.execute(
    tx.db,
  );
  const changes = changed.map((after) => ({ before: { ...after, settledCents: after.settledCents - after.addedCents }, after }));
  await addToCounts(tx, programId, changes);
}
