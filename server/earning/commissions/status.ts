// The status of a commission follows only from facts: its amounts, its payouts, its open holds and the time. Every
// operation that changes one of these facts calls `updateStatuses` afterwards.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import type { LockedLedger, Transfer } from '../ledger/post.ts';
import type { CommissionStatus } from '../orders/conversion-shape.ts';
import { type ChangedBy, changeStatus } from './change.ts';
import { owedCents, type Row, toAccount } from './commission.ts';

type Amounts = Pick<Row, 'status' | 'amountCents' | 'reversedCents' | 'settledCents' | 'maturesAt'>;

/** `inTransitCents`: the part of `settledCents` that is in payouts without a final status. */
export type Facts = { hasOpenHold: boolean; inTransitCents: number; now: Date };

/** See the tables in ARCHITECTURE.md. A pending commission is approved by the schedule (`mature.ts`), not here. Pure. */
export function deriveStatus(row: Amounts, { hasOpenHold, inTransitCents, now }: Facts): CommissionStatus {
  if (row.status === 'rejected') return 'rejected';
  const arrivedCents = row.settledCents - inTransitCents;
  const isPaid = arrivedCents !== 0 && Math.sign(arrivedCents) === Math.sign(row.amountCents);
  if (row.reversedCents === row.amountCents) return isPaid ? 'paid' : 'reversed';
  if (hasOpenHold && owedCents(row) > 0) return 'held';
  if (isPaid) return 'paid';
  if (row.status === 'pending') return 'pending';
  if (row.status === 'approved' || row.status === 'paid') return 'approved';
  return row.maturesAt > now ? 'pending' : 'approved';
}

/**
 * Updates locked commissions to the status that follows from the facts, and returns the transfers to post. The rows must
 * have their current amounts.
 */
export async function updateStatuses(tx: Tx, ledger: LockedLedger, rows: readonly Row[], changedBy: ChangedBy): Promise<Transfer[]> {
  if (rows.length === 0) return [];
  const facts = await readFacts(tx, ledger.programId, rows);
  const changes = rows.flatMap((row) => {
    const to = deriveStatus(row, facts.get(row.id) ?? { hasOpenHold: false, inTransitCents: 0, now: tx.clock.now() });
    return to === row.status ? [] : [{ row, to }];
  });
  const transfers: Transfer[] = [];
  for (const [to, group] of Map.groupBy(changes, (change) => change.to)) {
    const changed = group.map(({ row }) => row);
    const kind = toAccount(to) === 'pending' ? 'hold' : 'mature';
    transfers.push(...(await changeStatus(tx, ledger, { rows: changed, to, kind }, changedBy)));
  }
  return transfers;
}

async function readFacts(tx: Tx, programId: string, rows: readonly Row[]): Promise<Map<string, Facts>> {
  const { rows: found } = await sql<{ id: string; hasOpenHold: boolean; inTransitCents: number }>`
    select commission.id,
      exists (select 1 from commission_holds as hold
        where hold.program_id = ${programId} and hold.commission_id = commission.id and hold.closed_at is null) as has_open_hold,
      coalesce((select sum(line.cents) from payout_lines as line
        where line.program_id = ${programId} and line.commission_id = commission.id and line.is_live), 0)::bigint as in_transit_cents
    from unnest(${rows.map(({ id }) => id)}::uuid[]) as commission (id)`.execute(tx.db);
  const now = tx.clock.now();
  return new Map(found.map(({ id, hasOpenHold, inTransitCents }) => [id, { hasOpenHold, inTransitCents, now }]));
}
