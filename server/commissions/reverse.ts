// Taking back what refunds took away, exactly: of each commission the share of its own lines that was
// refunded so far, less what was reversed already. Any number of refunds in any order ends at the same
// cent, and undoing one walks the same way back. The original is never changed or deleted.
import { sql } from 'kysely';
import { returnToBudgets } from '../commission-rules/load.ts';
import type { Tx } from '../context.ts';
import type { Books, Transfer } from '../ledger/books.ts';
import { move } from '../ledger/move.ts';
import { reversedBy, sumOf } from '../lib/money.ts';
import { type Actor, changeStatus } from './change.ts';
import { accountOf, lockCommissionsOf, type Row } from './commission.ts';

export type Reversal = {
  conversionId: string;
  /** Refunded so far in all, by line. */
  refundedByPosition: ReadonlyMap<number, number>;
  /** What caused it; part of the ledger's ref. */
  cause: string;
  reason: string;
  flatRefunds: 'pro_rata' | 'keep';
};

/** A commission that changed: `cents` > 0 were taken back, < 0 given back. */
export type Reversed = { row: Row; cents: number };

/** Moves every commission of the conversion to where its refunds put it. The books must be open. */
export async function reverse(
  tx: Tx,
  books: Books,
  reversal: Reversal,
  actor: Actor,
): Promise<{ reversed: Reversed[]; transfers: Transfer[] }> {
  const rows = await lockCommissionsOf(tx, books.programId, reversal.conversionId);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const reversed: Reversed[] = [];
  const transfers: Transfer[] = [];
  for (const row of rows) {
    if (row.status === 'rejected') continue;
    const original = row.adjustsCommissionId ? byId.get(row.adjustsCommissionId) : row;
    const { refundedCents, target } = targetOf(row, original ?? row, reversal);
    const cents = target - row.reversedCents;
    await writeAmounts(tx, row, { refundedCents, reversedCents: target });
    transfers.push(...reversalTransfer(row, cents, reversal.cause));
    if (cents !== 0) reversed.push({ row: { ...row, refundedCents, reversedCents: target }, cents });
    transfers.push(...(await followAmount(tx, books, { row, target }, { actor, reason: reversal.reason })));
  }
  await returnToBudgets(
    tx,
    books.programId,
    reversed.map(({ row, cents }) => ({ commissionId: row.id, cents })),
  );
  return { reversed, transfers };
}

/** An adjustment is for what was left of its commission when it was made: refunds before it don't touch it. */
function targetOf(row: Row, original: Row, { refundedByPosition, flatRefunds }: Reversal): { refundedCents: number; target: number } {
  const ofLines = sumOf(original.positions.map((position) => refundedByPosition.get(position) ?? 0));
  const refundedCents = Math.min(Math.max(0, ofLines - (original.baseCents - row.baseCents)), row.baseCents);
  if (row.type === 'flat' && flatRefunds === 'keep' && refundedCents < row.baseCents) return { refundedCents, target: 0 };
  const isWhole = refundedCents === 0 ? 0 : reversedBy(refundedCents, { commissionCents: row.amountCents, baseCents: row.baseCents });
  return { refundedCents, target: isWhole };
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
  const account = accountOf(row.status);
  const refund = { affiliateId, commissionId, ref: `${cause}:${commissionId}` };
  // A negative adjustment is reversed by giving back: `move` turns it round, the kind stays.
  const isUndone = Math.sign(cents) !== Math.sign(row.amountCents);
  return isUndone
    ? move({ ...refund, kind: 'restore', from: 'commissions', to: account, cents: -cents })
    : move({ ...refund, kind: 'reverse', from: account, to: 'commissions', cents });
}

/** Wholly reversed is a status of its own, unless it was paid; given back, it stands where its time puts it. */
async function followAmount(
  tx: Tx,
  books: Books,
  { row, target }: { row: Row; target: number },
  because: { actor: Actor; reason: string },
): Promise<Transfer[]> {
  const changed = { ...row, reversedCents: target };
  const isGone = target === row.amountCents;
  if (isGone && ['pending', 'held', 'approved'].includes(row.status)) {
    return changeStatus(tx, books, { rows: [changed], to: 'reversed', kind: 'mature' }, because);
  }
  if (!isGone && row.status === 'reversed') {
    const to = row.maturesAt > tx.clock.now() ? 'pending' : 'approved';
    return changeStatus(tx, books, { rows: [changed], to, kind: 'hold' }, because);
  }
  return [];
}
