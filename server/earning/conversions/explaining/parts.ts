// Splits commissions over the order lines they were calculated from. The parts add up to the commission to the cent, and
// their reversals to its reversal. Pure.
import { allocate, sumForDisplay } from '../../../platform/lib/money.ts';

export type Part = { position: number; amountCents: number; reversedCents: number };

type Earned = { positions: readonly number[]; amountCents: number; reversedCents: number };
/** The amounts of the lines of the order, and the refunded part of each. */
export type LineAmounts = ReadonlyMap<number, { amountCents: number; refundedCents: number }>;

/** By the amounts of the lines; the reversal by what was refunded of each. */
export function splitCommission({ positions, amountCents, reversedCents }: Earned, lines: LineAmounts): Part[] {
  if (positions.length === 0) return [];
  const amounts = allocate(
    amountCents,
    positions.map((position) => lines.get(position)?.amountCents ?? 0),
  );
  const reversed = splitReversal(
    reversedCents,
    amounts,
    positions.map((position) => lines.get(position)?.refundedCents ?? 0),
  );
  return positions.map((position, index) => ({ position, amountCents: amounts[index] ?? 0, reversedCents: reversed[index] ?? 0 }));
}

/** By weights, but never more than a part: what is left over goes to the parts that still have room. */
function splitReversal(totalCents: number, amounts: readonly number[], weights: readonly number[]): number[] {
  const isRefund = sumForDisplay(weights) > 0;
  const wanted = allocate(totalCents, isRefund ? weights : amounts);
  const capped = wanted.map((cents, index) => Math.min(cents, amounts[index] ?? 0));
  const left = totalCents - sumForDisplay(capped);
  if (left <= 0) return capped;
  const room = capped.map((cents, index) => (amounts[index] ?? 0) - cents);
  const extra = allocate(left, room);
  return capped.map((cents, index) => cents + (extra[index] ?? 0));
}
