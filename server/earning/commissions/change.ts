// Changes of status: the row, its event and the money that moves with it, in one place. Whatever leaves
// `pending` or comes back to it takes what is owed along between the affiliate's accounts.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { insertRows } from '../../platform/db/insert-rows.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import type { Kind } from '../ledger/chart.ts';
import { move } from '../ledger/move.ts';
import type { LockedLedger, Transfer } from '../ledger/post.ts';
import { type CommissionStatus, owedCents, type Row, toAccount } from './commission.ts';

export type { Actor };

export type ChangedBy = { actor: Actor; reason: string | null };

/**
 * Brings commissions to a status and returns the transfers that go with it, for one `post`. Rows must
 * be locked. `kind` is the movement when the account changes.
 */
export async function changeStatus(
  tx: Tx,
  { programId }: Pick<LockedLedger, 'programId'>,
  { rows, to, kind }: { rows: readonly Row[]; to: CommissionStatus; kind: Kind },
  { actor, reason }: ChangedBy,
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
    actorKind: actor.kind,
    actorId: actor.id,
    createdAt: at,
  }));
  await insertRows(tx, 'commissionEvents', events);
  await sql`update commissions set status = ${to}, reason = coalesce(${reason}, reason), changes = changes + 1, updated_at = ${at}
    where program_id = ${programId} and id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(tx.db);
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
