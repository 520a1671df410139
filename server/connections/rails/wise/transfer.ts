// What Wise says of a transfer, and whether it is the one that we asked for.

import { fromDecimal } from '../../../platform/lib/currency.ts';
import { otherAmount, refused, unknown } from '../answers.ts';
import type { Answer, Payment, RailPayment } from '../rail.ts';
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

/** Made, but not paid for: nothing leaves before it is funded. */
export const unfunded = 'incoming_payment_waiting';

/** Wise's states: https://docs.wise.com/guides/product/send-money/tracking/transfer-statuses. */
const states: Record<string, RailPayment['state']> = {
  incoming_payment_initiated: 'sent',
  processing: 'sent',
  waiting_recipient_input_to_proceed: 'sent',
  funds_converted: 'sent',
  outgoing_payment_sent: 'paid',
  // Not the end: with other details it is sent again, else it is cancelled and refunded.
  bounced_back: 'sent',
  cancelled: 'failed',
  funds_refunded: 'returned',
  charged_back: 'returned',
};

/** What a state says. Events tell it in the same words. */
export function stateAnswer(status: unknown, reference: string): Answer {
  const state = typeof status === 'string' && Object.hasOwn(states, status) ? states[status] : undefined;
  if (state === 'failed') return refused(name, 'cancelled', reference);
  if (state === 'returned') return { outcome: 'returned', reference, reason: `The payment came back from ${name}: ${status}.` };
  return state ? { outcome: state, reference } : unknown(`${name} names a state that is not known.`, reference);
}

/** A transfer that is another than the one we asked for, or null. */
export function otherTransfer(transfer: Transfer, payment: Payment): Answer | null {
  const reference = referenceIn(transfer);
  if (reference === null || typeof transfer.status !== 'string') return unknown(`Unreadable response from ${name}.`);
  if (transfer.customerTransactionId !== payment.id) return unknown(`${name} has another payment under this reference.`);
  const other = otherAmount(payment, fromDecimal(transfer.targetValue, payment.currency), transfer.targetCurrency);
  return other ? unknown(other, reference) : null;
}

export function referenceIn({ id }: Transfer): string | null {
  return typeof id === 'number' || (typeof id === 'string' && /^\d{1,20}$/.test(id)) ? String(id) : null;
}

/** Every transfer has a transaction id; ours are uuids of version 7. The others are the brand's own business. */
const ourForm = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/i;

/** A line of Wise's book; null for what was never funded. */
export function paymentOf(transfer: Transfer): RailPayment | null {
  if (transfer.status === unfunded) return null;
  const [reference, currency] = [referenceIn(transfer), String(transfer.targetCurrency)];
  // One odd state must not hide the rest of the book.
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
    paymentId: typeof id === 'string' && ourForm.test(id) ? id : null,
    affiliateId: null,
    amountCents,
    currency,
    state,
    at,
  };
}
