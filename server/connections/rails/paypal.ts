// PayPal Payouts v1: one batch per payment, named by our id. PayPal refuses a second batch of that name for 30 days,
// and that refusal is no failure: it says that the first one is there. After that it is only asked, never posted.
import { z } from 'zod';
import type { HttpResponse } from '../../platform/lib/http.ts';
import { codeOf, jsonOf, notLookedUp, otherAmount, refused, unclear, unknown } from './answers.ts';
import { baseUrl, keyText } from './fields.ts';
import { name, type PayPalApi, payPalApi } from './paypal/api.ts';
import { readPayPalEvent } from './paypal/events.ts';
import { batchAnswer, payPalValue, senderItemId } from './paypal/item.ts';
import { searchPayPal } from './paypal/search.ts';
import type { Answer, Found, Payment, Rail, RailParts, RailPayment, RailType } from './rail.ts';
import { spanOf } from './span.ts';

export const paypal: RailType = {
  type: 'paypal',
  config: z.strictObject({
    baseUrl: baseUrl('https://api-m.paypal.com'),
    webhookId: keyText('the id of the webhook, as PayPal shows it', /^[A-Za-z0-9-]{5,50}$/)
      .exactOptional()
      .describe('The webhook whose events arrive here. Without it payouts are asked for.'),
  }),
  secrets: z.strictObject({
    clientId: keyText('the client id of the REST app'),
    clientSecret: keyText('the secret of the REST app'),
  }),
  methods: ['paypal'],
  isAutomatic: true,
  keyWindowHours: 30 * 24,
  // What PayPal checks first is not documented: a repeat may be refused for its amount though the first one was taken.
  believesRefusalOfRepeat: false,
  // Three hours by PayPal's word, with room to spare.
  bookLagHours: 48,
  // send() names the batch, the book names the transaction.
  listsByReference: false,
  concurrency: 4,
  capabilities: ['payouts', 'returns', 'events', 'look_up', 'list'],
  open: openPayPal,
};

function openPayPal(parts: RailParts): Rail {
  const api = payPalApi(parts);
  return {
    send: (payment) => send(payment, api, parts),
    lookUp: (payment, reference) => lookUp(payment, reference, api, parts),
    list: (span) => searchPayPal(span, api),
    readEvent: parts.config.webhookId ? (delivery) => readPayPalEvent(delivery, api, parts) : null,
    async test() {
      const response = await api('GET', '/v1/notifications/webhooks');
      if ('outcome' in response) return { works: false, message: 'reason' in response ? response.reason : '' };
      const works = response.status === 200;
      return { works, message: works ? `${name} accepts the credentials.` : `${name} answered ${response.status}.` };
    },
  };
}

async function send(payment: Payment, api: PayPalApi, { clock }: RailParts): Promise<Answer> {
  const { destination, memo } = payment;
  if (destination.method !== 'paypal') return refused(name, 'destination_not_supported');
  const value = payPalValue(payment);
  if (value === null) return refused(name, 'amount_not_payable');
  const body = JSON.stringify({
    sender_batch_header: { sender_batch_id: payment.id, email_subject: memo || 'A payout' },
    items: [
      {
        ...{ recipient_type: 'EMAIL', receiver: destination.email, note: memo, sender_item_id: senderItemId(payment) },
        amount: { value, currency: payment.currency },
      },
    ],
  });
  const response = await api('POST', '/v1/payments/payouts', body);
  if ('outcome' in response) return response;
  if (response.status === 201) return taken(response, payment) ?? unclear(response, name, clock);
  if (isDuplicate(response)) return existing(response, payment, api);
  return refusal(response, payment) ?? unclear(response, name, clock);
}

function taken(response: HttpResponse, payment: Payment): Answer | null {
  const header = (jsonOf(response)?.batch_header ?? {}) as Record<string, unknown>;
  const reference = header.payout_batch_id;
  const theirs = (header.sender_batch_header ?? {}) as Record<string, unknown>;
  if (typeof reference !== 'string') return null;
  return theirs.sender_batch_id === payment.id ? { outcome: 'sent', reference } : unknown(`${name} took it under another name.`, reference);
}

/**
 * "Batch with given sender_batch_id already exists", or other words for it. A refusal that speaks of our id at all is
 * taken for that: ids of ours have the right form, so nothing else can be wrong with one.
 */
function isDuplicate(response: HttpResponse): boolean {
  if (response.status < 400 || response.status >= 500) return false;
  const { name: error, details } = jsonOf(response) ?? {};
  return error === 'DUPLICATE' || error === 'DUPLICATE_REQUEST_ID' || /sender[\s_-]?batch[\s_-]?id/i.test(JSON.stringify(details ?? ''));
}

/** The batch that is there already, by the link in the refusal. Without one it is found later, by a look-up. */
async function existing(response: HttpResponse, payment: Payment, api: PayPalApi): Promise<Answer> {
  // Only the id is taken from the link: a token is never sent to an address that an answer names.
  const reference = /\/v1\/payments\/payouts\/([A-Za-z0-9_-]{5,60})(?=["?])/.exec(response.body.replaceAll('\\/', '/'))?.[1];
  if (!reference) return unknown(`${name} has taken this payment before, and does not say how it stands.`);
  const found = await api('GET', `/v1/payments/payouts/${reference}`);
  const answer = 'outcome' in found ? null : batchAnswer(found, payment);
  return answer ?? unknown(`${name} has taken this payment before; it could not be looked up.`, reference);
}

/** Refusals of a whole request, before anything of it was done. USER_BUSINESS_ERROR is none: it also tells of repeats. */
const refusals = new Set([
  ...['VALIDATION_ERROR', 'INVALID_REQUEST', 'INSUFFICIENT_FUNDS', 'UNPROCESSABLE_ENTITY', 'CURRENCY_NOT_SUPPORTED'],
  ...['RECEIVER_UNCONFIRMED', 'SENDER_RESTRICTED', 'AMOUNT_LIMIT_EXCEEDED', 'ITEM_INCORRECT_STATUS'],
]);

function refusal(response: HttpResponse, { destination }: Payment): Answer | null {
  const { status } = response;
  const error = status === 400 || status === 422 ? jsonOf(response)?.name : undefined;
  return typeof error === 'string' && refusals.has(error) ? refused(name, codeOf(error, destination, 'refused')) : null;
}

async function lookUp(payment: Payment, reference: string | null, api: PayPalApi, { clock }: RailParts): Promise<Found> {
  if (reference !== null) {
    const response = await api('GET', `/v1/payments/payouts/${encodeURIComponent(reference)}`);
    if ('outcome' in response) return notLookedUp(response);
    if (response.status !== 404) return batchAnswer(response, payment) ?? notLookedUp(unclear(response, name, clock));
  }
  try {
    for await (const found of searchPayPal(spanOf(payment, clock), api))
      if (found.paymentId === payment.id) return foundAnswer(found, payment);
  } catch {
    return unknown(`It could not be looked up in ${name}'s book.`);
  }
  // A batch that PayPal once named and now doesn't know is no proof of anything.
  return reference === null ? { outcome: 'not_found' } : unknown(`${name} does not know its own reference.`);
}

function foundAnswer({ reference, amountCents, currency, state }: RailPayment, payment: Payment): Answer {
  const other = otherAmount(payment, amountCents, currency);
  if (other) return unknown(other, reference);
  if (state === 'failed') return refused(name, 'denied', reference);
  return state === 'returned'
    ? { outcome: 'returned', reference, reason: `The payment came back from ${name}.` }
    : { outcome: state, reference };
}
