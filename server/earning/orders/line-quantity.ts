// The amount of some units of an order line, and the units that are not refunded yet. Refunds record amounts, because
// stores also refund parts of a unit; so the units follow from the remaining amount. Pure.
import { divideRounded } from '../../platform/lib/money.ts';
import type { Line } from '../commission-rules/order-facts.ts';

type Units = Pick<Line, 'amountCents' | 'quantity'>;

/** The share of some units, at most the rest of the line. The last unit includes the rounding difference (less than half a unit). */
export function priceUnits({ amountCents, quantity }: Units, units: number, openCents: number): number {
  const share = Number(divideRounded(BigInt(amountCents) * BigInt(units), BigInt(quantity)));
  const rest = openCents - share;
  return rest * 2 <= quantity && rest * 2 * quantity < amountCents ? openCents : Math.min(openCents, share);
}

/** The fewest units whose amount is the rest of the line: a unit that is partly refunded can still be returned. */
export function remainingQuantity(line: Units, openCents: number): number {
  if (openCents === 0) return 0;
  const whole = Number((BigInt(openCents) * BigInt(line.quantity)) / BigInt(line.amountCents));
  return whole > 0 && priceUnits(line, whole, openCents) === openCents ? whole : whole + 1;
}
