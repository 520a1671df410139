// The holds of commissions. Each hold has a cause, and only that cause ends it: a commission stays held while any cause is
// open. Opening and closing a cause both call `updateStatuses`, the only place that decides whether a commission is held.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import type { LockedLedger, Transfer } from '../ledger/post.ts';
import { type Hold, insertHolds } from './accrue.ts';
import type { ChangedBy } from './change.ts';
import { type HoldCause, lockCommissions, type Row } from './commission.ts';
import { updateStatuses } from './status.ts';

/** Opens a cause for commissions of any status. `opened`: those for which it wasn't open yet. */
export async function openHold(
  tx: Tx,
  ledger: LockedLedger,
  { rows, cause, causeId }: HoldCause & { rows: readonly Row[] },
  changedBy: ChangedBy,
): Promise<{ opened: string[]; transfers: Transfer[] }> {
  const holds = rows.map(({ id }) => ({ commissionId: id, cause, causeId, reason: changedBy.reason, note: changedBy.note ?? null }));
  const opened = await insertHolds(tx, ledger.programId, holds);
  return { opened, transfers: await updateStatuses(tx, ledger, rows, changedBy) };
}

/** Closes a cause for every commission it holds. `closed`: those for which it was open. */
export function closeHold(
  tx: Tx,
  ledger: LockedLedger,
  { cause, causeId }: HoldCause,
  changedBy: ChangedBy,
): Promise<{ closed: string[]; transfers: Transfer[] }> {
  return closeHolds(tx, ledger, { cause, causeIds: [causeId] }, changedBy);
}

/** Like `closeHold`, for several causes of one kind. */
export async function closeHolds(
  tx: Tx,
  ledger: LockedLedger,
  { cause, causeIds }: Pick<HoldCause, 'cause'> & { causeIds: readonly string[] },
  changedBy: ChangedBy,
): Promise<{ closed: string[]; transfers: Transfer[] }> {
  if (causeIds.length === 0) return { closed: [], transfers: [] };
  const { rows } = await sql<{ commissionId: string }>`
    update commission_holds set closed_at = ${tx.clock.now()}
    where program_id = ${ledger.programId} and cause = ${cause} and cause_id = any(${[...causeIds]}::uuid[]) and closed_at is null
    returning commission_id`.execute(tx.db);
  const closed = rows.map(({ commissionId }) => commissionId);
  const transfers = await updateStatuses(tx, ledger, await lockCommissions(tx, ledger.programId, closed), changedBy);
  return { closed, transfers };
}

/** The open causes of a commission. Its adjustments start with them. */
export async function readOpenHolds(tx: Tx, programId: string, commissionId: string): Promise<Hold[]> {
  const { rows } = await sql<Hold>`
    select cause, cause_id, reason, note from commission_holds
    where program_id = ${programId} and commission_id = ${commissionId} and closed_at is null
    order by opened_at, id`.execute(tx.db);
  return rows;
}
