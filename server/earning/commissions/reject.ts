import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { recordEvents } from '../../messaging/events/record.ts';
import type { Addition } from '../../partners/affiliates/totals/add-to-totals.ts';
import { returnToBudgets } from '../commission-rules/load.ts';
import { type LockedLedger, move, type Transfer } from '../ledger/post.ts';
import { type Actor, changeStatus } from './change.ts';
import { type Row, toAccount } from './commission.ts';
import { toAmountEvents } from './events.ts';

type Rejected = { transfers: Transfer[]; reversals: Omit<Addition, 'day'>[] };

/**
 * Rejects locked commissions, all of an order or of a lead, and reverses the rest of them; amounts that were paid are owed
 * back.
 */
export async function rejectCommissions(
  tx: Tx,
  ledger: LockedLedger,
  rows: readonly Row[],
  changedBy: { actor: Actor; reason: string },
): Promise<Rejected> {
  const { programId } = ledger;
  const remaining = rows.filter(({ status }) => status !== 'rejected');
  const transfers = remaining.flatMap(({ id, affiliateId, status, amountCents, reversedCents }) =>
    move({
      kind: 'reverse',
      ref: `rejected:${id}`,
      affiliateId,
      commissionId: id,
      from: toAccount(status),
      to: 'commissions',
      cents: amountCents - reversedCents,
    }),
  );
  await sql`update commissions set reversed_cents = amount_cents, updated_at = ${tx.clock.now()}
    where program_id = ${programId} and id = any(${remaining.map(({ id }) => id)}::uuid[])`.execute(tx.db);
  const changed = remaining.filter(({ amountCents, reversedCents }) => amountCents !== reversedCents);
  await recordEvents(tx, { programId, actor: changedBy.actor }, await toAmountEvents(tx, programId, changed));
  const returned = remaining.map(({ id, amountCents, reversedCents }) => ({ commissionId: id, cents: amountCents - reversedCents }));
  await returnToBudgets(tx, programId, returned);
  const reversed = remaining.map((row) => ({ ...row, reversedCents: row.amountCents }));
  const statusTransfers = await changeStatus(tx, ledger, { rows: reversed, to: 'rejected', kind: 'mature' }, changedBy);
  const reversals = remaining.map(({ affiliateId, amountCents, reversedCents }) => ({
    affiliateId,
    reversalsCents: amountCents - reversedCents,
  }));
  return { transfers: [...transfers, ...statusTransfers], reversals };
}
