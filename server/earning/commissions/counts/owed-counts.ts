// The number of commissions per affiliate that the available balance of the ledger adds up. It changes with the status and
// the amounts of commissions; the ledger is locked there.
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../context.ts';
import { owedCents, type Row, toAccount } from '../commission.ts';

/** Commissions with an amount owed to or by the affiliate. The condition of the index commissions_owing. */
export const isOwed = sql`status not in ('pending', 'held') and amount_cents - reversed_cents - settled_cents <> 0`;

type Owing = Pick<Row, 'affiliateId' | 'status' | 'amountCents' | 'reversedCents' | 'settledCents'>;

/** A commission before and after a change; `before` is null for a new one. */
export type OwedChange = { before: Owing | null; after: Owing };

const countOwed = (row: Owing) => (toAccount(row.status) === 'available' && owedCents(row) !== 0 ? 1 : 0);

/** Adds changes of commissions to the numbers of their affiliates. The ledger must be locked. */
export async function addToOwedCounts(tx: Tx, programId: string, changes: readonly OwedChange[]): Promise<void> {
  const added = changes
    .map(({ before, after }) => ({ id: after.affiliateId, added: countOwed(after) - (before ? countOwed(before) : 0) }))
    .filter((change) => change.added !== 0);
  if (added.length === 0) return;
  await sql`
    insert into owed_commissions as stored (program_id, affiliate_id, commissions)
    select ${programId}::uuid, id, sum(added)
    from unnest(${added.map(({ id }) => id)}::uuid[], ${added.map((change) => change.added)}::integer[]) as change (id, added)
    group by id having sum(added) <> 0
    on conflict (program_id, affiliate_id) do update set commissions = stored.commissions + excluded.commissions`.execute(tx.db);
}

/** The numbers as they follow from the rows, for the programs that match `scope` (a condition on program_id). */
export function countRowsOwed(scope: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select program_id, affiliate_id, count(*) as commissions from commissions where ${isOwed} and ${scope} group by 1, 2`;
}

/** Writes the numbers of a program again. The ledger must be locked. */
export async function recountOwed(tx: Tx, programId: string): Promise<void> {
  await sql`delete from owed_commissions where program_id = ${programId}`.execute(tx.db);
  await sql`insert into owed_commissions ${countRowsOwed(sql`program_id = ${programId}`)}`.execute(tx.db);
}
