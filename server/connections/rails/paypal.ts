// PayPal Payouts v1: one batch per payment, with our id as its sender batch id. For 30 days PayPal rejects a second batch
// with that id, which shows that the first one exists. After that, payments are only looked up.
import { z } from 'zod';
import type { HttpResponse } from '../../platform/lib/http.ts';
import {
  failedOutcome,
  findAmountMismatch,
  parseJsonObject,
  toCode,
  toLookUpOutcome,
  toUnclearOutcome,
  unknownOutcome,
} from './outcomes.ts';
import { createPayPalApi, name, type PayPalApi } from './paypal/api.ts';
import { readPayPalEvent } from './paypal/events.ts';
import { buildSenderItemId, toBatchOutcome, toPayPalValue } from './paypal/item.ts';
import { searchPayPal } from './paypal/search.ts';
import type { LookUpOutcome, Outcome, Payment, Rail, RailParts, RailPayment, RailType } from './rail.ts';
import { baseUrl, secretField } from './setting-fields.ts';
import { estimateSpan } from './time-span.ts';

export const paypal: RailType = {
  type: 'paypal',
  config: z.strictObject({
    baseUrl: baseUrl('https://api-m.paypal.com'),
    webhookId: secretField('the id of the webhook in PayPal', /^[A-Za-z0-9-]{5,50}$/)
      .exactOptional()
      .describe('The id of the webhook that sends events. Without it, payouts are polled.'),
  }),
  secrets: z.strictObject({
    clientId: secretField('the client id of the REST app'),
    clientSecret: secretField('the secret of the REST app'),
  }),
  methods: ['paypal'],
  // Without HUF and TWD, of which PayPal only pays whole units.
  convertedCurrencies: 'AUD CAD CHF CZK DKK EUR GBP HKD ILS JPY MXN NOK NZD PHP PLN SEK SGD THB USD'.split(' '),
  isAutomatic: true,
  keyWindowHours: 30 * 24,
  // The order of PayPal's checks is not documented: a repeat may be rejected for its amount though the first one was accepted.
  isRepeatedRejectionFinal: false,
  // Up to three hours according to PayPal, with a margin.
  listDelayHours: 48,
  // send() returns the batch id, the transaction list contains transaction ids.
  listsByReference: false,
  concurrency: 4,
  capabilities: ['payouts', 'returns', 'events', 'look_up', 'list'],
  open: openPayPal,
};

function openPayPal(parts: RailParts): Rail {
  const api = createPayPalApi(parts);
  return {
    send: (payment) => send(payment, api, parts),
    lookUp: (payment, reference) => lookUp(payment, reference, api, parts),
    list: (span) => searchPayPal(span, api),
    readEvent: parts.config.webhookId ? (delivery) => readPayPalEvent(delivery, api, parts) : null,
    async test() {
      const response = await api('GET', '/v1/notifications/webhooks');
      if ('outcome' in response) return { works: false, message: 'reason' in response ? response.reason : '' };
      const works = response.status === 200;
      return { works, message: works ? `${name} accepts the credentials.` : `Unexpected response from ${name} (${response.status}).` };
    },
  };
}

async function send(payment: Payment, api: PayPalApi, { clock }: RailParts): Promise<Outcome> {
  const { destination, memo } = payment;
  if (destination.method !== 'paypal') return failedOutcome(name, 'destination_not_supported');
  const value = toPayPalValue(payment);
  if (value === null) return failedOutcome(name, 'amount_not_payable');
  const body = JSON.stringify({
    sender_batch_header: { sender_batch_id: payment.id, email_subject: memo || 'A payout' },
    items: [
      {
        recipient_type: 'EMAIL',
        receiver: destination.email,
        note: memo,
        sender_item_id: buildSenderItemId(payment),
        amount: { value, currency: payment.currency },
      },
    ],
  });
  const response = await api('POST', '/v1/payments/payouts', body);
  if ('outcome' in response) return response;
  if (response.status === 201) return toAcceptedOutcome(response, payment) ?? toUnclearOutcome(response, name, clock);
  if (isDuplicateBatch(response)) return findExistingBatch(response, payment, api);
  return toRejection(response, payment) ?? toUnclearOutcome(response, name, clock);
}

function toAcceptedOutcome(response: HttpResponse, payment: Payment): Outcome | null {
  const header = (parseJsonObject(response)?.batch_header ?? {}) as Record<string, unknown>;
  const reference = header.payout_batch_id;
  const senderHeader = (header.sender_batch_header ?? {}) as Record<string, unknown>;
  if (typeof reference !== 'string') return null;
  return senderHeader.sender_batch_id === payment.id
    ? { outcome: 'sent', reference }
    : unknownOutcome(`${name} accepted the payment with a different id.`, reference);
}

/**
 * "Batch with given sender_batch_id already exists", in any wording. Our ids are always well-formed, so an error about
 * the sender batch id can only mean a duplicate.
 */
function isDuplicateBatch(response: HttpResponse): boolean {
  if (response.status < 400 || response.status >= 500) return false;
  const { name: error, details } = parseJsonObject(response) ?? {};
  return error === 'DUPLICATE' || error === 'DUPLICATE_REQUEST_ID' || /sender[\s_-]?batch[\s_-]?id/i.test(JSON.stringify(details ?? ''));
}

/** The existing batch, from the link in the rejection. Without a link, a later look-up finds it. */
async function findExistingBatch(response: HttpResponse, payment: Payment, api: PayPalApi): Promise<Outcome> {
  // Only the id is read from the link: the token is never sent to an address from a response.
  const reference = /\/v1\/payments\/payouts\/([A-Za-z0-9_-]{5,60})(?=["?])/.exec(response.body.replaceAll('\\/', '/'))?.[1];
  if (!reference) return unknownOutcome(`${name} has already accepted this payment, but did not report its status.`);
  const found = await api('GET', `/v1/payments/payouts/${reference}`);
  const outcome = 'outcome' in found ? null : toBatchOutcome(found, payment);
  return outcome ?? unknownOutcome(`${name} has already accepted this payment; its status could not be looked up.`, reference);
}

/** Rejections of a whole request before any processing. USER_BUSINESS_ERROR is excluded: duplicates cause it too. */
const rejectionNames = new Set([
  'VALIDATION_ERROR',
  'INVALID_REQUEST',
  'INSUFFICIENT_FUNDS',
  'UNPROCESSABLE_ENTITY',
  'CURRENCY_NOT_SUPPORTED',
  'RECEIVER_UNCONFIRMED',
  'SENDER_RESTRICTED',
  'AMOUNT_LIMIT_EXCEEDED',
  'ITEM_INCORRECT_STATUS',
]);

function toRejection(response: HttpResponse, { destination }: Payment): Outcome | null {
  const { status } = response;
  const error = status === 400 || status === 422 ? parseJsonObject(response)?.name : undefined;
  return typeof error === 'string' && rejectionNames.has(error) ? failedOutcome(name, toCode(error, destination, 'rejected')) : null;
}

async function lookUp(payment: Payment, reference: string | null, api: PayPalApi, { clock }: RailParts): Promise<LookUpOutcome> {
  if (reference !== null) {
    const response = await api('GET', `/v1/payments/payouts/${encodeURIComponent(reference)}`);
    if ('outcome' in response) return toLookUpOutcome(response);
    if (response.status !== 404) return toBatchOutcome(response, payment) ?? toLookUpOutcome(toUnclearOutcome(response, name, clock));
  }
  try {
    for await (const found of searchPayPal(estimateSpan(payment, clock), api))
      if (found.paymentId === payment.id) return toFoundOutcome(found, payment);
  } catch {
    return unknownOutcome(`The payment could not be looked up in ${name}'s transaction list.`);
  }
  // PayPal returned this batch before, so its absence proves nothing.
  return reference === null ? { outcome: 'not_found' } : unknownOutcome(`${name} did not find its own reference.`);
}

function toFoundOutcome({ reference, amountCents, currency, state }: RailPayment, payment: Payment): Outcome {
  const other = findAmountMismatch(payment, amountCents, currency);
  if (other) return unknownOutcome(other, reference);
  if (state === 'failed') return failedOutcome(name, 'denied', reference);
  return state === 'returned'
    ? { outcome: 'returned', reference, reason: `The payment was returned by ${name}.` }
    : { outcome: state, reference };
}
