// The outcome of a transfer at Wise, and whether it matches our payment.

import { fromDecimal } from '../../../platform/lib/currency.ts';
import { failedOutcome, findAmountMismatch, unknownOutcome } from '../outcomes.ts';
import type { Outcome, Payment, RailPayment } from '../rail.ts';
import { name } from './api.ts';

export type Transfer = {
  id?: unknown;
  status?: unknown;
  customerTransactionId?: unknown;
  sourceCurrency?: unknown;
  targetCurrency?: unknown;
  targetValue?: unknown;
  created?: unknown;
};

/** Created but not funded: no money has left yet. */
export const unfundedStatus = 'incoming_payment_waiting';

/** Wise's statuses: https://docs.wise.com/guides/product/send-money/tracking/transfer-statuses. */
const states: Record<string, RailPayment['state']> = {
  incoming_payment_initiated: 'sent',
  processing: 'sent',
  waiting_recipient_input_to_proceed: 'sent',
  funds_converted: 'sent',
  outgoing_payment_sent: 'paid',
  // Not final: it is sent again with corrected details, or cancelled and refunded.
  bounced_back: 'sent',
  cancelled: 'failed',
  funds_refunded: 'returned',
  charged_back: 'returned',
};

/** The outcome of a status, in responses and events. */
export function toStatusOutcome(status: unknown, reference: string): Outcome {
  const state = typeof status === 'string' && Object.hasOwn(states, status) ? states[status] : undefined;
  if (state === 'failed') return failedOutcome(name, 'cancelled', reference);
  if (state === 'returned') return { outcome: 'returned', reference, reason: `The payment was returned by ${name}: ${status}.` };
  return state ? { outcome: state, reference } : unknownOutcome(`${name} reported an unknown status.`, reference);
}

/** How a transfer differs from our payment, or null. */
export function findTransferMismatch(transfer: Transfer, payment: Payment): Outcome | null {
  const reference = readReference(transfer);
  if (reference === null || typeof transfer.status !== 'string') return unknownOutcome(`Unreadable response from ${name}.`);
  if (transfer.customerTransactionId !== payment.id) return unknownOutcome(`${name} has a different payment under this reference.`);
  const mismatch = findAmountMismatch(payment, fromDecimal(transfer.targetValue, payment.currency), transfer.targetCurrency);
  return mismatch ? unknownOutcome(mismatch, reference) : null;
}

export function readReference({ id }: Transfer): string | null {
  return typeof id === 'number' || (typeof id === 'string' && /^\d{1,20}$/.test(id)) ? String(id) : null;
}

/** Every transfer has a transaction id; ours are uuids of version 7. Others belong to the owner of the account. */
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/i;

/** An entry of Wise's transfer list; null if it was never funded. */
export function toRailPayment(transfer: Transfer): RailPayment | null {
  if (transfer.status === unfundedStatus) return null;
  const [reference, currency] = [readReference(transfer), String(transfer.targetCurrency)];
  // An unknown status must not hide the rest of the list.
  const state = states[String(transfer.status)] ?? 'sent';
  const amountCents = fromDecimal(transfer.targetValue, currency);
  // "2026-03-01 12:00:00", in UTC.
  const at = new Date(String(transfer.created).replace(/^(\S+) (\S+)$/, '$1T$2Z'));
  if (reference === null || amountCents === null || Number.isNaN(at.getTime())) {
    throw new Error(`${name}'s transaction list contains an unreadable entry.`);
  }
  const id = transfer.customerTransactionId;
  return {
    reference,
    paymentId: typeof id === 'string' && uuidV7.test(id) ? id : null,
    affiliateId: null,
    amountCents,
    currency,
    state,
    at,
  };
}
