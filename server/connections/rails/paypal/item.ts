// A payout at PayPal: a batch with one item. PayPal's batch id is our reference; the item's sender id contains the ids of
// the payment and the affiliate, so that PayPal's transaction list can be compared with ours.

import { changeDecimals, currencyDecimals, fromDecimal, toDecimal } from '../../../platform/lib/currency.ts';
import type { HttpResponse } from '../../../platform/lib/http.ts';
import { failedOutcome, findAmountMismatch, parseJsonObject, toCode, unknownOutcome } from '../outcomes.ts';
import type { Outcome, Payment } from '../rail.ts';
import { name } from './api.ts';

/** PayPal only pays whole units of these currencies, regardless of ISO 4217. */
const wholeOnly = new Set(['HUF', 'JPY', 'TWD']);

/** The amount in PayPal's format, or null if it can't be paid exactly. */
export function toPayPalValue({ amountCents, currency }: Payment): string | null {
  if (!wholeOnly.has(currency)) return toDecimal(amountCents, currency);
  const whole = changeDecimals(amountCents, currencyDecimals(currency), 0);
  return whole === null ? null : String(whole);
}

/** Both ids in 45 of the 63 characters allowed. */
export function buildSenderItemId({ id, affiliateId }: Pick<Payment, 'id' | 'affiliateId'>): string {
  return `${packUuid(id)}.${packUuid(affiliateId)}`;
}

/** The ids in a sender item id, or null if it is not one of ours. */
export function parseSenderItemId(text: unknown): { paymentId: string; affiliateId: string } | null {
  const found = typeof text === 'string' ? /^([\w-]{22})\.([\w-]{22})$/.exec(text) : null;
  return found ? { paymentId: unpackUuid(found[1] ?? ''), affiliateId: unpackUuid(found[2] ?? '') } : null;
}

function packUuid(uuid: string): string {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');
}

function unpackUuid(text: string): string {
  const hex = Buffer.from(text, 'base64url').toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export type Item = {
  transaction_status?: unknown;
  payout_item?: { amount?: { value?: unknown; currency?: unknown }; sender_item_id?: unknown };
  errors?: { name?: unknown };
};
type Header = { payout_batch_id?: unknown; batch_status?: unknown; sender_batch_header?: { sender_batch_id?: unknown } };

/** The outcome in the response of `GET /v1/payments/payouts/{id}`, or null if it contains none. */
export function toBatchOutcome(response: HttpResponse, payment: Payment): Outcome | null {
  const {
    batch_header: header,
    items,
    errors,
  } = (parseJsonObject(response) ?? {}) as { batch_header?: Header; items?: Item[]; errors?: Item['errors'] };
  const reference = header?.payout_batch_id;
  if (response.status !== 200 || !header || typeof reference !== 'string') return null;
  if (header.sender_batch_header?.sender_batch_id !== payment.id)
    return unknownOutcome(`${name} has a different payment under this reference.`);
  const item = Array.isArray(items)
    ? items.find(({ payout_item: about }) => about?.sender_item_id === buildSenderItemId(payment))
    : undefined;
  if (header.batch_status === 'DENIED' || header.batch_status === 'CANCELED') {
    return failedOutcome(
      name,
      toCode(item?.errors?.name ?? errors?.name, payment.destination, `batch_${header.batch_status.toLowerCase()}`),
      reference,
    );
  }
  if (!item) {
    const isInProgress = ['NEW', 'PENDING', 'PROCESSING'].includes(String(header.batch_status));
    return isInProgress ? { outcome: 'sent', reference } : unknownOutcome(`The payment is missing from its batch at ${name}.`, reference);
  }
  const { value, currency } = item.payout_item?.amount ?? {};
  const mismatch = findAmountMismatch(payment, fromDecimal(value, payment.currency), currency);
  return mismatch ? unknownOutcome(mismatch, reference) : toItemOutcome(item, reference, payment);
}

/** The outcome of an item's status, in responses and events. */
export function toItemOutcome({ transaction_status: state, errors }: Item, reference: string, payment: Payment | null): Outcome {
  switch (state) {
    case 'SUCCESS':
      return { outcome: 'paid', reference };
    case 'PENDING':
    case 'UNCLAIMED':
    case 'ONHOLD':
    case 'NEW':
      return { outcome: 'sent', reference };
    case 'FAILED':
    case 'BLOCKED':
    case 'DENIED':
      return failedOutcome(name, toCode(errors?.name, payment?.destination ?? null, state.toLowerCase()), reference);
    case 'RETURNED':
    case 'REFUNDED':
    case 'REVERSED':
      return { outcome: 'returned', reference, reason: `The payment was returned by ${name}: ${state.toLowerCase()}.` };
    default:
      return unknownOutcome(`${name} reported an unknown status.`, reference);
  }
}
