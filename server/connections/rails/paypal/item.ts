// A payout at PayPal: a batch of one item. The batch id they give is our reference; the item's sender id carries our
// payment and affiliate, so that their own book can be compared with ours.

import { changeDecimals, currencyDecimals, fromDecimal, toDecimal } from '../../../platform/lib/currency.ts';
import type { HttpResponse } from '../../../platform/lib/http.ts';
import { codeOf, jsonOf, otherAmount, refused, unknown } from '../answers.ts';
import type { Answer, Payment } from '../rail.ts';
import { name } from './api.ts';

/** Payouts in these take whole units only, whatever ISO 4217 says. */
const wholeOnly = new Set(['HUF', 'JPY', 'TWD']);

/** The amount as PayPal takes it, or null where it has parts that can't be paid. */
export function payPalValue({ amountCents, currency }: Payment): string | null {
  if (!wholeOnly.has(currency)) return toDecimal(amountCents, currency);
  const whole = changeDecimals(amountCents, currencyDecimals(currency), 0);
  return whole === null ? null : String(whole);
}

/** Both ids in 45 of the 63 characters that a sender item id may have. */
export function senderItemId({ id, affiliateId }: Pick<Payment, 'id' | 'affiliateId'>): string {
  return `${packed(id)}.${packed(affiliateId)}`;
}

/** The ids in a sender item id, or null for one that isn't ours. */
export function idsIn(text: unknown): { paymentId: string; affiliateId: string } | null {
  const found = typeof text === 'string' ? /^([\w-]{22})\.([\w-]{22})$/.exec(text) : null;
  return found ? { paymentId: unpacked(found[1] ?? ''), affiliateId: unpacked(found[2] ?? '') } : null;
}

function packed(uuid: string): string {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');
}

function unpacked(text: string): string {
  const hex = Buffer.from(text, 'base64url').toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export type Item = {
  transaction_status?: unknown;
  payout_item?: { amount?: { value?: unknown; currency?: unknown }; sender_item_id?: unknown };
  errors?: { name?: unknown };
};
type Header = { payout_batch_id?: unknown; batch_status?: unknown; sender_batch_header?: { sender_batch_id?: unknown } };

/** What `GET /v1/payments/payouts/{id}` says about a payment; null where it says nothing. */
export function batchAnswer(response: HttpResponse, payment: Payment): Answer | null {
  const {
    batch_header: header,
    items,
    errors,
  } = (jsonOf(response) ?? {}) as { batch_header?: Header; items?: Item[]; errors?: Item['errors'] };
  const reference = header?.payout_batch_id;
  if (response.status !== 200 || !header || typeof reference !== 'string') return null;
  if (header.sender_batch_header?.sender_batch_id !== payment.id) return unknown(`${name} has another payment under this reference.`);
  const item = Array.isArray(items) ? items.find(({ payout_item: about }) => about?.sender_item_id === senderItemId(payment)) : undefined;
  if (header.batch_status === 'DENIED' || header.batch_status === 'CANCELED') {
    return refused(
      name,
      codeOf(item?.errors?.name ?? errors?.name, payment.destination, `batch_${header.batch_status.toLowerCase()}`),
      reference,
    );
  }
  if (!item) {
    const isUnderWay = ['NEW', 'PENDING', 'PROCESSING'].includes(String(header.batch_status));
    return isUnderWay ? { outcome: 'sent', reference } : unknown(`${name} does not show the payment in its batch.`, reference);
  }
  const { value, currency } = item.payout_item?.amount ?? {};
  const other = otherAmount(payment, fromDecimal(value, payment.currency), currency);
  return other ? unknown(other, reference) : itemAnswer(item, reference, payment);
}

/** What an item's state means. Events tell it in the same words. */
export function itemAnswer({ transaction_status: state, errors }: Item, reference: string, payment: Payment | null): Answer {
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
      return refused(name, codeOf(errors?.name, payment?.destination ?? null, state.toLowerCase()), reference);
    case 'RETURNED':
    case 'REFUNDED':
    case 'REVERSED':
      return { outcome: 'returned', reference, reason: `The payment came back from ${name}: ${state.toLowerCase()}.` };
    default:
      return unknown(`${name} names a state that is not known.`, reference);
  }
}
