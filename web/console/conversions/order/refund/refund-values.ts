// What the refund sheet collects, and the request that follows from it. Pure.
import type { Input } from '../../../../api/call.ts';
import type { Explanation } from '../say.ts';

export const reasons = [
  'refund',
  'cancelled',
  'chargeback',
  'fraud',
  'duplicate',
  'out_of_stock',
  'terms_violation',
  'test',
  'other',
] as const;
type Reason = (typeof reasons)[number];

/** The refund of a line; null while it is being typed. Without an amount, the quantity determines it. */
export type Choice = { quantity: number | null; amountCents: number | null };

/** By position, only for chosen lines. */
export type Choices = Readonly<Record<number, Choice>>;
export type Values = { mode: 'whole' | 'lines'; choices: Choices; reason: Reason; note: string };

export type Body = Input<'conversions.refund'>['body'];
type Item = Explanation['items'][number];
type Line = NonNullable<NonNullable<Body>['items']>[number];

/** Whether the line has units that can be refunded one by one. */
export function hasUnits({ quantity, amountCents }: Pick<Item, 'quantity' | 'amountCents'>): boolean {
  return quantity > 1 && amountCents > 0;
}

/** The part of the line that is not refunded yet. */
export function restOf(item: Item): Choice {
  const openCents = item.amountCents - item.refundedCents;
  return hasUnits(item) ? { quantity: item.remainingQuantity, amountCents: null } : { quantity: null, amountCents: openCents };
}

/** The request, or null while nothing is chosen or a line is incomplete. */
export function toBody({ mode, choices, reason, note }: Values): Body | null {
  const shared = { reason, note: note.trim() === '' ? null : note };
  if (mode === 'whole') return shared;
  const entries = Object.entries(choices);
  const items = entries.flatMap(([position, choice]) => toLine(Number(position), choice) ?? []);
  return items.length === 0 || items.length < entries.length ? null : { ...shared, items };
}

function toLine(position: number, { quantity, amountCents }: Choice): Line | null {
  if (amountCents !== null) return { position, amountCents };
  return quantity === null || quantity === 0 ? null : { position, quantity };
}
