// How much of which line a refund gives back. What it doesn't say is split over what is left of the
// lines, by largest remainder, so that parts always come to the whole. Pure.

import { Invalid, NothingToDo } from '../../platform/lib/errors.ts';
import { allocate, divideRounded, sumOf } from '../../platform/lib/money.ts';
import type { Line } from '../commission-rules/order-facts.ts';

export type RefundedItem = {
  position?: number | undefined;
  productId?: string | null | undefined;
  /** How many units; gives the amount where `amountCents` is left out. */
  quantity?: number | undefined;
  amountCents?: number | undefined;
};

export type Requested = { amountCents?: number | undefined; items?: readonly RefundedItem[] | undefined };

/** Cents by line position; only lines of which something is refunded. 0 for a free line that is given back whole. */
export type RefundLines = Map<number, number>;

/**
 * Throws NothingToDo (422) when nothing is left to refund, Invalid (400) when more is asked back than
 * was paid, or an item that isn't in the order.
 */
export function refundLines(lines: readonly Line[], refunded: ReadonlyMap<number, number>, requested: Requested): RefundLines {
  if (isFullyRefunded(lines, refunded)) throw new NothingToDo('nothing_to_refund', 'Nothing of this order is left to refund.');
  const left = new Map(lines.map(({ position, amountCents }) => [position, amountCents - (refunded.get(position) ?? 0)]));
  const parts = requested.items?.length
    ? partsOfItems(lines, left, requested.items)
    : spread(left, requested.amountCents ?? sumOf([...left.values()]));
  const total = sumOf([...parts.values()]);
  if (requested.items?.length && requested.amountCents !== undefined && requested.amountCents !== total)
    throw fault(['amountCents'], `must be ${total}, what the items come to, or be left out`);
  const isFreeOrder = lines.every(({ amountCents }) => amountCents === 0);
  const isByItem = (requested.items?.length ?? 0) > 0;
  const isRefunded = (position: number, cents: number) => cents > 0 || ((isFreeOrder || isByItem) && !refunded.has(position));
  return new Map([...parts].filter(([position, cents]) => isRefunded(position, cents)));
}

/** An order that cost nothing is refunded in full once each of its lines was given back. */
export function isFullyRefunded(lines: readonly Line[], refunded: ReadonlyMap<number, number>): boolean {
  const isFreeOrder = lines.every(({ amountCents }) => amountCents === 0);
  return lines.every(({ position, amountCents }) => (isFreeOrder ? refunded.has(position) : (refunded.get(position) ?? 0) === amountCents));
}

function spread(left: ReadonlyMap<number, number>, cents: number): RefundLines {
  const leftCents = sumOf([...left.values()]);
  if (cents > leftCents) throw fault(['amountCents'], `must not exceed ${leftCents}, what is left to refund`);
  const positions = [...left.keys()];
  const parts = allocate(cents, [...left.values()]);
  return new Map(positions.map((position, index) => [position, parts[index] ?? 0]));
}

function partsOfItems(lines: readonly Line[], left: Map<number, number>, items: readonly RefundedItem[]): RefundLines {
  const parts: RefundLines = new Map();
  for (const [index, item] of items.entries()) {
    const path = ['items', String(index)];
    const line = lineOf(lines, left, item);
    if (!line) throw fault(path, 'names no line of this order; name it by `position` or `productId`');
    const open = left.get(line.position) ?? 0;
    const cents = item.amountCents ?? (item.quantity === undefined ? open : ofUnits(line, item.quantity, open));
    if ((item.quantity ?? 0) > line.quantity) throw fault([...path, 'quantity'], `must not exceed ${line.quantity}`);
    if (cents > open) throw fault([...path, 'amountCents'], `must not exceed ${open}, what is left of this line`);
    // A free line is given back by naming it, whole: units of it have no amount.
    const isGivenBack = line.amountCents === 0 && (item.quantity ?? line.quantity) === line.quantity;
    if (cents === 0 && !isGivenBack) continue;
    left.set(line.position, open - cents);
    parts.set(line.position, (parts.get(line.position) ?? 0) + cents);
  }
  if (parts.size === 0) throw fault(['items'], 'must come to more than 0');
  return parts;
}

/** By its place; by its product the first line of which something is left. */
function lineOf(lines: readonly Line[], left: ReadonlyMap<number, number>, { position, productId }: RefundedItem): Line | undefined {
  if (position !== undefined) return lines.find((line) => line.position === position);
  const ofProduct = lines.filter((line) => productId && line.productId === productId);
  return ofProduct.find((line) => (left.get(line.position) ?? 0) > 0) ?? ofProduct[0];
}

/** The share of some units, never more than is left. The last unit takes what rounding left over: less than half a unit. */
function ofUnits({ amountCents, quantity }: Line, units: number, open: number): number {
  const share = Number(divideRounded(BigInt(amountCents) * BigInt(units), BigInt(quantity)));
  const rest = open - share;
  return rest * 2 <= quantity && rest * 2 * quantity < amountCents ? open : Math.min(open, share);
}

function fault(path: string[], message: string): Invalid {
  return new Invalid([{ path, message }]);
}
