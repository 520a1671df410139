// What holds an order when it is moved or increased: its new commissions start with the same open causes.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import type { Hold } from '../commissions/accrue.ts';
import type { ChangedBy } from '../commissions/change.ts';
import { lockCommissions } from '../commissions/commission.ts';
import { openHold } from '../commissions/holds.ts';
import type { LockedLedger, Transfer } from '../ledger/post.ts';

/** The open disputes of the order, and its fraud alerts that hold commissions. */
export async function readOpenCauses(tx: Tx, programId: string, conversionId: string): Promise<Hold[]> {
  const { rows } = await sql<Hold>`
    select 'dispute' as cause, id as cause_id, 'dispute opened' as reason from disputes
    where program_id = ${programId} and conversion_id = ${conversionId} and status = 'opened'
    union all
    select 'fraud_event', id, kind from fraud_events
    where program_id = ${programId} and conversion_id = ${conversionId} and status = 'open' and evidence ->> 'action' = 'hold'
    order by cause_id`.execute(tx.db);
  return rows;
}

type ManualHold = { level: number; note: string | null };

/** The levels of the order whose commissions are held manually, with the latest note. */
export async function readManualHolds(tx: Tx, programId: string, conversionId: string): Promise<ManualHold[]> {
  const { rows } = await sql<ManualHold>`
    select distinct on (commission.level) commission.level, hold.note
    from commission_holds as hold join commissions as commission
      on commission.program_id = ${programId} and commission.id = hold.commission_id
    where hold.program_id = ${programId} and hold.cause = 'manual' and hold.closed_at is null
      and commission.conversion_id = ${conversionId} and commission.kind = 'order' and commission.moved_at is null
    order by commission.level, hold.opened_at desc, hold.id desc`.execute(tx.db);
  return rows;
}

type Fresh = { id: string; level: number };

/** Holds the new commissions of these levels manually, each for itself. Returns the transfers to post. */
export async function holdAgain(
  tx: Tx,
  ledger: LockedLedger,
  { fresh, holds }: { fresh: readonly Fresh[]; holds: readonly ManualHold[] },
  { actor }: Pick<ChangedBy, 'actor'>,
): Promise<Transfer[]> {
  const transfers: Transfer[] = [];
  for (const { level, note } of holds)
    for (const { id } of fresh.filter((one) => one.level === level)) {
      const rows = await lockCommissions(tx, ledger.programId, [id]);
      const opened = await openHold(tx, ledger, { rows, cause: 'manual', causeId: id }, { actor, reason: 'manual_hold', note });
      transfers.push(...opened.transfers);
    }
  return transfers;
}
