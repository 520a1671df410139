// Reversing commissions after refunds, exactly: of each commission the share of its own lines that was refunded so
// far, less what was reversed already. Any number of refunds in any order ends at the same cent, and undoing one
// restores the same cents. The amount of a commission is never changed or deleted.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { calculateReversal, sumOf } from '../../platform/lib/money.ts';
import { returnToBudgets } from '../commission-rules/load.ts';
import { move } from '../ledger/move.ts';
import type { LockedLedger, Transfer } from '../ledger/post.ts';
import type { Actor } from './change.ts';
import { lockOrderCommissions, type Row, toAccount } from './commission.ts';
import { updateStatuses } from './status.ts';

export type Reversal = {
  conversionId: string;
  /** Refunded so far in all, by line. A free line is in it once it was given back. */
  refundedByPosition: ReadonlyMap<number, number>;
  /** The order cost something, and all of it was refunded. */
  isFullyRefunded: boolean;
  /** What caused it; part of the ledger's ref. */
  cause: string;
  reason: string;
};

/** A commission that changed: `cents` > 0 were taken back, < 0 given back. */
export type Reversed = { row: Row; cents: number };

/** Moves every commission of the conversion to where its refunds put it. The ledger must be open. */
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
    const { refundedCents, target } = targetOf(row, original ?? row, reversal);
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
  transfers.push(...(await updateStatuses(tx, ledger, changed, { actor, reason: reversal.reason })));
  return { reversed, transfers };
}

type Target = { refundedCents: number; target: number };

/** An adjustment is for what was left of its commission when it was made: earlier refunds don't change it. */
function targetOf(row: Row, original: Row, { refundedByPosition, isFullyRefunded }: Reversal): Target {
  if (row.baseCents === 0) {
    const isGivenBack = row.positions.length > 0 && row.positions.every((position) => refundedByPosition.has(position));
    const isReversed = isGivenBack || (isFullyRefunded && row.positions.length > 0);
    return { refundedCents: 0, target: isReversed ? row.amountCents : 0 };
  }
  const ofLines = sumOf(original.positions.map((position) => refundedByPosition.get(position) ?? 0));
  const refundedCents = Math.min(Math.max(0, ofLines - (original.baseCents - row.baseCents)), row.baseCents);
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
}

function reversalTransfer(row: Row, cents: number, cause: string): Transfer[] {
  const { affiliateId, id: commissionId } = row;
  const account = toAccount(row.status);
  const refund = { affiliateId, commissionId, ref: `${cause}:${commissionId}` };
  // A negative adjustment is reversed by giving back: `move` turns it round, the kind stays.
  const isUndone = Math.sign(cents) !== Math.sign(row.amountCents);
  return isUndone
    ? move({ ...refund, kind: 'restore', from: 'commissions', to: account, cents: -cents })
    : move({ ...refund, kind: 'reverse', from: account, to: 'commissions', cents });
}
