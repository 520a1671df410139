// The refunded amount of each line. Amounts that the refund doesn't assign to a line are split over the remaining amounts
// of the lines by largest remainder, so that the parts always add up to the whole. Pure.

import { Invalid, NothingToDo } from '../../platform/lib/errors.ts';
import { allocate, sumOf } from '../../platform/lib/money.ts';
import type { Line } from '../commission-rules/order-facts.ts';
import { priceUnits, remainingQuantity } from '../orders/line-quantity.ts';

export type RefundedItem = {
  position?: number | undefined;
  productId?: string | null | undefined;
  /** The number of units; determines the amount if `amountCents` is omitted. */
  quantity?: number | undefined;
  amountCents?: number | undefined;
};

export type Requested = { amountCents?: number | undefined; items?: readonly RefundedItem[] | undefined };

/** Cents by line position, only for lines that are refunded. 0 for a free line that is returned completely. */
export type RefundLines = Map<number, number>;

/** Throws 422 if the order is already fully refunded, and 400 if the amount exceeds the rest or an item isn't in the order. */
export function refundLines(lines: readonly Line[], refunded: ReadonlyMap<number, number>, requested: Requested): RefundLines {
  if (isFullyRefunded(lines, refunded)) throw new NothingToDo('nothing_to_refund', 'This order is already fully refunded.');
  const remaining = new Map(lines.map(({ position, amountCents }) => [position, amountCents - (refunded.get(position) ?? 0)]));
  const parts = requested.items?.length
    ? refundItems(lines, remaining, requested.items)
    : spread(remaining, requested.amountCents ?? sumOf([...remaining.values()]));
  const total = sumOf([...parts.values()]);
  if (requested.items?.length && requested.amountCents !== undefined && requested.amountCents !== total)
    throw toInvalid(['amountCents'], `must equal the sum of the items (${total}), or be omitted`);
  const isFreeOrder = lines.every(({ amountCents }) => amountCents === 0);
  const isByItem = (requested.items?.length ?? 0) > 0;
  const isRefunded = (position: number, cents: number) => cents > 0 || ((isFreeOrder || isByItem) && !refunded.has(position));
  return new Map([...parts].filter(([position, cents]) => isRefunded(position, cents)));
}

/** A free order is fully refunded when each of its lines was returned. */
export function isFullyRefunded(lines: readonly Line[], refunded: ReadonlyMap<number, number>): boolean {
  const isFreeOrder = lines.every(({ amountCents }) => amountCents === 0);
  return lines.every(({ position, amountCents }) => (isFreeOrder ? refunded.has(position) : (refunded.get(position) ?? 0) === amountCents));
}

function spread(remaining: ReadonlyMap<number, number>, cents: number): RefundLines {
  const remainingCents = sumOf([...remaining.values()]);
  if (cents > remainingCents) throw toInvalid(['amountCents'], `must not exceed the amount that is not refunded yet (${remainingCents})`);
  const positions = [...remaining.keys()];
  const parts = allocate(cents, [...remaining.values()]);
  return new Map(positions.map((position, index) => [position, parts[index] ?? 0]));
}

function refundItems(lines: readonly Line[], refundable: ReadonlyMap<number, number>, items: readonly RefundedItem[]): RefundLines {
  const remaining = new Map(refundable);
  const parts: RefundLines = new Map();
  for (const [index, item] of items.entries()) {
    const path = ['items', String(index)];
    const line = findLine(lines, remaining, item);
    if (!line) throw toInvalid(path, 'was not found in this order; identify it by `position` or `productId`');
    const open = remaining.get(line.position) ?? 0;
    const problem = findQuantityProblem(line, open, item);
    if (problem !== null) throw toInvalid([...path, 'quantity'], problem);
    const cents = item.amountCents ?? (item.quantity === undefined ? open : priceUnits(line, item.quantity, open));
    if (cents > open)
      throw toInvalid([...path, 'amountCents'], `must not exceed the amount of this line that is not refunded yet (${open})`);
    // A free line is returned by naming it completely: its units have no amount.
    const isReturned = line.amountCents === 0 && (item.quantity ?? line.quantity) === line.quantity;
    if (cents === 0 && !isReturned) continue;
    remaining.set(line.position, open - cents);
    parts.set(line.position, (parts.get(line.position) ?? 0) + cents);
  }
  if (parts.size === 0) throw toInvalid(['items'], 'must add up to more than 0');
  return parts;
}

/** With an amount, the quantity may repeat: a store refunds parts of the same units several times. */
function findQuantityProblem(line: Line, openCents: number, { quantity, amountCents }: RefundedItem): string | null {
  if (quantity === undefined) return null;
  if (quantity > line.quantity) return `must not exceed ${line.quantity}`;
  if (amountCents !== undefined || line.amountCents === 0) return null;
  const remaining = remainingQuantity(line, openCents);
  return quantity > remaining ? `must not exceed the quantity of this line that is not refunded yet (${remaining})` : null;
}

/** By position, or the first line of the product that is not fully refunded. */
function findLine(lines: readonly Line[], remaining: ReadonlyMap<number, number>, { position, productId }: RefundedItem): Line | undefined {
  if (position !== undefined) return lines.find((line) => line.position === position);
  const ofProduct = lines.filter((line) => productId && line.productId === productId);
  return ofProduct.find((line) => (remaining.get(line.position) ?? 0) > 0) ?? ofProduct[0];
}

function toInvalid(path: string[], message: string): Invalid {
  return new Invalid([{ path, message }]);
}
