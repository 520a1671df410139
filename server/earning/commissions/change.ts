// Changes of status: the row, its event and the transfer, in one place. A change from or to `pending` money moves the
// amount owed between the affiliate's accounts.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { recordEvents } from '../../messaging/events/record.ts';
import { insertRows } from '../../platform/db/inserts/insert-rows.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import type { Kind } from '../ledger/chart.ts';
import { type LockedLedger, move, type Transfer } from '../ledger/post.ts';
import type { CommissionStatus } from '../orders/conversion-shape.ts';
import { toOrderEvents } from '../orders/events.ts';
import { updateOrders } from '../orders/write-orders.ts';
import { owedCents, type Row, toAccount } from './commission.ts';
import { addToCounts } from './counts.ts';
import { toStatusEvents } from './events.ts';

export type { Actor };

/** The actor of a change, its machine-readable reason, and the note of a person. */
export type ChangedBy = { actor: Actor; reason: string | null; note?: string | null };

/**
 * Changes the status of locked commissions and returns the transfers to post. `kind` is the kind of entry when the
 * account changes.
 */
export async function changeStatus(
  tx: Tx,
  { programId }: Pick<LockedLedger, 'programId'>,
  { rows, to, kind }: { rows: readonly Row[]; to: CommissionStatus; kind: Kind },
  { actor, reason, note = null }: ChangedBy,
): Promise<Transfer[]> {
  if (rows.length === 0) return [];
  const at = tx.clock.now();
  const events = rows.map((row) => ({
    programId,
    id: tx.ids.uuid(),
    commissionId: row.id,
    step: row.changes + 1,
    fromStatus: row.status,
    toStatus: to,
    reason,
    note,
    actorKind: actor.kind,
    actorId: actor.id,
    createdAt: at,
  }));
  await insertRows(tx, 'commissionEvents', events);
  await sql`update commissions set status = ${to}, reason = coalesce(${reason}, reason), note = coalesce(${note}, note), changes = changes + 1, updated_at = ${at}
    where program_id = ${programId} and id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(tx.db);
  await addToCounts(
    tx,
    programId,
    rows.map((row) => ({ before: row, after: { ...row, status: to } })),
  );
  // Commissions that were moved to another affiliate no longer count for their order.
  const counting = rows.flatMap(({ conversionId, movedAt }) => (conversionId && !movedAt ? conversionId : []));
  const orders = await updateOrders(tx, programId, counting);
  const announced = [...(await toStatusEvents(tx, programId, rows, to)), ...(await toOrderEvents(tx, programId, orders))];
  await recordEvents(tx, { programId, actor }, announced);
  return rows.flatMap((row, index) =>
    toAccount(row.status) === toAccount(to)
      ? []
      : move({
          kind,
          ref: events[index]?.id ?? '',
          affiliateId: row.affiliateId,
          commissionId: row.id,
          from: toAccount(row.status),
          to: toAccount(to),
          cents: owedCents(row),
        }),
  );
}
