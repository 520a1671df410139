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

/** Updates the reversed amount of every commission of the conversions, each named once. The ledger must be locked. */
export async function reverse(
  tx: Tx,
  ledger: LockedLedger,
  reversals: readonly Reversal[],
  actor: Actor,
): Promise<{ reversed: Reversed[]; transfers: Transfer[] }> {
  const { programId } = ledger;
  const conversionIds = reversals.map(({ conversionId }) => conversionId);
  const rows = await lockOrderCommissions(tx, programId, conversionIds);
  const targets = listTargets(rows, reversals);
  await writeAmounts(tx, programId, targets);
  const reversed = targets.filter(({ cents }) => cents !== 0);
  await returnToBudgets(
    tx,
    programId,
    reversed.map(({ row, cents }) => ({ commissionId: row.id, cents })),
  );
  await updateOrders(tx, programId, conversionIds);
  const before = reversed.map((one) => one.before);
  await recordEvents(tx, { programId, actor }, await toAmountEvents(tx, programId, before));
  const transfers = targets.flatMap((target) => toReversalTransfer(target.before, target.cents, target.reversal.cause));
  for (const [reason, group] of Map.groupBy(targets, ({ reversal }) => reversal.reason)) {
    const changed = group.map(({ row }) => row);
    transfers.push(...(await updateStatuses(tx, ledger, changed, { actor, reason })));
  }
  return { reversed: reversed.map(({ row, cents }) => ({ row, cents })), transfers };
}

/** A commission as it was and as it is to be. */
type Reversing = Reversed & { before: Row; reversal: Reversal };

/** What the refunds make of the commissions that are not rejected. Pure. */
function listTargets(rows: readonly Row[], reversals: readonly Reversal[]): Reversing[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byOrder = new Map(reversals.map((reversal) => [reversal.conversionId, reversal]));
  return rows.flatMap((before): Reversing[] => {
    const reversal = byOrder.get(before.conversionId ?? '');
    if (!reversal || before.status === 'rejected') return [];
    const original = before.adjustsCommissionId ? byId.get(before.adjustsCommissionId) : before;
    const { refundedCents, target } = calculateTarget(before, original ?? before, reversal);
    const row = { ...before, refundedCents, reversedCents: target };
    return [{ before, reversal, row, cents: target - before.reversedCents }];
  });
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

async function writeAmounts(tx: Tx, programId: string, targets: readonly Reversing[]): Promise<void> {
  const changes = targets.filter(
    ({ before, row }) => row.refundedCents !== before.refundedCents || row.reversedCents !== before.reversedCents,
  );
  if (changes.length === 0) return;
  const column = (pick: (row: Row) => string | number) => changes.map(({ row }) => pick(row));
  await sql`
    update commissions as commission
    set refunded_cents = change.refunded_cents, reversed_cents = change.reversed_cents, updated_at = ${tx.clock.now()}
    from unnest(${column(({ id }) => id)}::uuid[], ${column((row) => row.refundedCents)}::bigint[],
      ${column((row) => row.reversedCents)}::bigint[]) as change (id, refunded_cents, reversed_cents)
    where commission.program_id = ${programId} and commission.id = change.id`.execute(tx.db);
  await addToCounts(
    tx,
    programId,
    changes.map(({ before, row }) => ({ before, after: row })),
  );
}

/** The transfer of what a reversal changed: `cents` > 0 were reversed, < 0 restored. Pure. */
export function toReversalTransfer(row: Row, cents: number, cause: string): Transfer[] {
  const { affiliateId, id: commissionId } = row;
  const account = toAccount(row.status);
  const refund = { affiliateId, commissionId, ref: `${cause}:${commissionId}` };
  // Reversing a negative adjustment credits the affiliate: `move` swaps the accounts, and the kind stays.
  const isUndone = Math.sign(cents) !== Math.sign(row.amountCents);
  return isUndone
    ? move({ ...refund, kind: 'restore', from: 'commissions', to: account, cents: -cents })
    : move({ ...refund, kind: 'reverse', from: account, to: 'commissions', cents });
}
