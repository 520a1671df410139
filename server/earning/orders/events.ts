// The events of conversions. Their status follows from their commissions, so it is announced where commissions change.
import type { Tx } from '../../context.ts';
import { defineEvent, type NewEvent } from '../../messaging/events/define.ts';
import { ConversionShape } from './conversion-shape.ts';
import { readConversions } from './read-conversions.ts';

const object = 'conversion';
const data = ConversionShape;

export const conversionCreated = defineEvent({
  type: 'conversion.created',
  object,
  isCreation: true,
  data,
  summary: 'An order was recorded and credited to an affiliate.',
});
export const conversionHeld = defineEvent({
  type: 'conversion.held',
  object,
  data,
  summary: 'A commission of the order is held, including when the order is recorded as `held`.',
  previous: { status: 'pending' },
});
export const conversionApproved = defineEvent({
  type: 'conversion.approved',
  object,
  data,
  summary: 'No commission of the order is pending or held anymore: it is payable.',
  previous: { status: 'pending' },
});
export const conversionRejected = defineEvent({
  type: 'conversion.rejected',
  object,
  data,
  summary: 'The order was rejected as fraud, and its commissions with it.',
  previous: { status: 'held' },
});

/** An order whose status has changed. */
export type StatusChange = { id: string; from: string; to: string };

function eventOf({ from, to }: StatusChange) {
  if (to === 'held') return conversionHeld;
  if (to === 'rejected') return conversionRejected;
  return to === 'approved' && (from === 'pending' || from === 'held') ? conversionApproved : null;
}

/** The events of orders whose status has changed. */
export async function toOrderEvents(tx: Tx, programId: string, changes: readonly StatusChange[]): Promise<NewEvent[]> {
  if (tx.isHistory) return [];
  const announced = changes.flatMap((change) => {
    const event = eventOf(change);
    return event ? [{ ...change, event }] : [];
  });
  const ids = announced.map(({ id }) => id);
  const conversions = new Map((await readConversions(tx, programId, ids)).map((conversion) => [conversion.id, conversion]));
  return announced.flatMap(({ id, from, event }) => {
    const conversion = conversions.get(id);
    if (!conversion) return [];
    return [event.of({ objectId: id, affiliateId: conversion.affiliateId, data: conversion, previous: { status: from } })];
  });
}
