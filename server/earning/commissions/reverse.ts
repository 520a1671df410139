// Reverses commissions after refunds: each commission by the refunded share of its own lines, less what has already been
// reversed. Any number of refunds in any order leads to the same cents, and undoing one restores the same cents. The
// amount of a commission itself never changes.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { recordEvents } from '../../messaging/events/record.ts';
import { calculateReversal, sumOf } from '../../platform/lib/money.ts';
import { returnToBudgets } from '../commission-rules/load.ts';
import { type LockedLedger, move, type Transfer } from '../ledger/post.ts';
import { updateOrders } from '../orders/write-orders.ts';
import type { Actor } from './change.ts';
import { lockOrderCommissions, type Row, toAccount } from './commission.ts';
import { addToCounts } from './counts.ts';
import { toAmountEvents } from './events.ts';
import { updateStatuses } from './status.ts';

export type Reversal = {
  conversionId: string;
  /** The total refunded so far, by line. Contains a free line once it was returned. */
  refundedByPosition: ReadonlyMap<number, number>;
  /** The order had an amount, and all of it was refunded. */
  isFullyRefunded: boolean;
  /** Identifies the cause in the `ref` of the ledger entry. */
  cause: string;
  reason: string;
};

/** A commission that changed: `cents` > 0 were reversed, < 0 restored. */
export type Reversed = { row: Row; cents: number };

/** Updates the reversed amount of every commission of the conversion. The ledger must be locked. */
export async function reverse(
  tx: Tx,
  ledger: LockedLedger,
  reversal: Reversal,
  actor: Actor,
): Promise<{ reversed: Reversed[]; transfers: Transfer[] }> {
  const rows = await lockOrderCommissions(tx, ledger.programId, reversal.conversionId);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const reversed: Reversed[] = [];
  const transfers: Transfer[] = [];
  const changed: Row[] = [];
  for (const row of rows) {
    if (row.status === 'rejected') continue;
    const original = row.adjustsCommissionId ? byId.get(row.adjustsCommissionId) : row;
    const { refundedCents, target } = calculateTarget(row, original ?? row, reversal);
    const cents = target - row.reversedCents;
    await writeAmounts(tx, row, { refundedCents, reversedCents: target });
    transfers.push(...reversalTransfer(row, cents, reversal.cause));
    changed.push({ ...row, refundedCents, reversedCents: target });
    if (cents !== 0) reversed.push({ row: { ...row, refundedCents, reversedCents: target }, cents });
  }
  await returnToBudgets(
    tx,
    ledger.programId,
    reversed.map(({ row, cents }) => ({ commissionId: row.id, cents })),
  );
  await updateOrders(tx, ledger.programId, [reversal.conversionId]);
  const before = rows.filter(({ id }) => reversed.some(({ row }) => row.id === id));
  await recordEvents(tx, { programId: ledger.programId, actor }, await toAmountEvents(tx, ledger.programId, before));
  transfers.push(...(await updateStatuses(tx, ledger, changed, { actor, reason: reversal.reason })));
  return { reversed, transfers };
}

type Target = { refundedCents: number; target: number };

/** An adjustment applies to the rest of its commission at that time: earlier refunds don't change it. */
function calculateTarget(row: Row, original: Row, { refundedByPosition, isFullyRefunded }: Reversal): Target {
  if (row.baseCents === 0) {
    const isReturned = row.positions.length > 0 && row.positions.every((position) => refundedByPosition.has(position));
    const isReversed = isReturned || (isFullyRefunded && row.positions.length > 0);
    return { refundedCents: 0, target: isReversed ? row.amountCents : 0 };
  }
  const refundedOfLines = sumOf(original.positions.map((position) => refundedByPosition.get(position) ?? 0));
  const refundedCents = Math.min(Math.max(0, refundedOfLines - (original.baseCents - row.baseCents)), row.baseCents);
  if (row.flatRefunds === 'keep' && refundedCents < row.baseCents) return { refundedCents, target: 0 };
  return { refundedCents, target: calculateReversal(refundedCents, { commissionCents: row.amountCents, baseCents: row.baseCents }) };
}

async function writeAmounts(
  tx: Tx,
  row: Row,
  { refundedCents, reversedCents }: { refundedCents: number; reversedCents: number },
): Promise<void> {
  if (refundedCents === row.refundedCents && reversedCents === row.reversedCents) return;
  await sql`update commissions set refunded_cents = ${refundedCents}, reversed_cents = ${reversedCents}, updated_at = ${tx.clock.now()}
    where program_id = ${row.programId} and id = ${row.id}`.execute(tx.db);
  await addToCounts(tx, row.programId, [{ before: row, after: { ...row, reversedCents } }]);
}

function reversalTransfer(row: Row, cents: number, cause: string): Transfer[] {
  const { affiliateId, id: commissionId } = row;
  const account = toAccount(row.status);
  const refund = { affiliateId, commissionId, ref: `${cause}:${commissionId}` };
  // Reversing a negative adjustment credits the affiliate: `move` swaps the accounts, and the kind stays.
  const isUndone = Math.sign(cents) !== Math.sign(row.amountCents);
  return isUndone
    ? move({ ...refund, kind: 'restore', from: 'commissions', to: account, cents: -cents })
    : move({ ...refund, kind: 'reverse', from: account, to: 'commissions', cents });
}
