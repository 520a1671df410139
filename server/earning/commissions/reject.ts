// Rejects the commissions of an order permanently: because it is fraud, or because it was moved to another affiliate.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { recordEvents } from '../../messaging/events/record.ts';
import type { Addition } from '../../partners/affiliates/totals/add-to-totals.ts';
import { returnToBudgets } from '../commission-rules/load.ts';
import { type LockedLedger, move, type Transfer } from '../ledger/post.ts';
import { type Actor, changeStatus } from './change.ts';
import { type Row, toAccount } from './commission.ts';
import { addToCounts } from './counts.ts';
import { toAmountEvents } from './events.ts';

/** `rows`: the commissions as they were before. */
type Rejected = { rows: Row[]; transfers: Transfer[]; reversals: Omit<Addition, 'day'>[] };

/** `moveId`: the move of the order to another affiliate; the order no longer counts these commissions. */
type RejectedBy = { actor: Actor; reason: string; moveId?: string };

/**
 * Rejects locked commissions, all of an order or of a lead, and reverses the rest of them; amounts that were paid are owed
 * back.
 */
export async function rejectCommissions(tx: Tx, ledger: LockedLedger, rows: readonly Row[], by: RejectedBy): Promise<Rejected> {
  const { programId } = ledger;
  const { moveId, ...changedBy } = by;
  const remaining = rows.filter(({ status }) => status !== 'rejected');
  const ref = moveId === undefined ? 'rejected' : `moved:${moveId}`;
  const transfers = remaining.flatMap(({ id, affiliateId, status, amountCents, reversedCents }) =>
    move({
      kind: 'reverse',
      ref: `${ref}:${id}`,
      affiliateId,
      commissionId: id,
      from: toAccount(status),
      to: 'commissions',
      cents: amountCents - reversedCents,
    }),
  );
  const movedAt = moveId === undefined ? null : tx.clock.now();
  await sql`update commissions set reversed_cents = amount_cents, moved_at = ${movedAt}, updated_at = ${tx.clock.now()}
    where program_id = ${programId} and id = any(${remaining.map(({ id }) => id)}::uuid[])`.execute(tx.db);
  await addToCounts(
    tx,
    programId,
    remaining.map((row) => ({ before: row, after: { ...row, reversedCents: row.amountCents } })),
  );
  const changed = remaining.filter(({ amountCents, reversedCents }) => amountCents !== reversedCents);
  await recordEvents(tx, { programId, actor: changedBy.actor }, await toAmountEvents(tx, programId, changed));
  const returned = remaining.map(({ id, amountCents, reversedCents }) => ({ commissionId: id, cents: amountCents - reversedCents }));
  await returnToBudgets(tx, programId, returned);
  const reversed = remaining.map((row) => ({ ...row, reversedCents: row.amountCents, movedAt }));
  const statusTransfers = await changeStatus(tx, ledger, { rows: reversed, to: 'rejected', kind: 'mature' }, changedBy);
  const reversals = remaining.map(({ affiliateId, amountCents, reversedCents }) => ({
    affiliateId,
    reversalsCents: amountCents - reversedCents,
  }));
  return { rows: remaining, transfers: [...transfers, ...statusTransfers], reversals };
}
