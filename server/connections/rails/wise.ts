// Wise: recipient, quote, transfer, and then its funding from the balance. Creating a transfer pays nothing; our id as
// customerTransactionId creates it once, and a funded transfer can't be funded twice.
import { createPublicKey } from 'node:crypto';
import { z } from 'zod';
import { toDecimal } from '../../platform/lib/currency.ts';
import { failedOutcome, parseJsonObject, toCode, toLookUpOutcome, toUnclearOutcome, unknownOutcome } from './outcomes.ts';
import type { LookUpOutcome, Outcome, Payment, Rail, RailParts, RailPayment, RailType } from './rail.ts';
import { baseUrl, secretField } from './setting-fields.ts';
import { estimateSpan, type Span } from './time-span.ts';
import { createWiseApi, name, readErrorCode, readSuccess, type WiseApi } from './wise/api.ts';
import { readWiseEvent } from './wise/events.ts';
import { listTransfersIn } from './wise/list.ts';
import { createRecipient } from './wise/recipient.ts';
import { findTransferMismatch, readReference, type Transfer, toRailPayment, toStatusOutcome, unfundedStatus } from './wise/transfer.ts';

export const wise: RailType = {
  type: 'wise',
  config: z.strictObject({
    baseUrl: baseUrl('https://api.wise.com'),
    profileId: secretField('the number of the business profile', /^\d{1,15}$/).describe('The profile whose balance is used.'),
    webhookPublicKey: z
      .string()
      .max(2000)
      .refine(isPublicKey, { error: "must be Wise's public key in PEM form: -----BEGIN PUBLIC KEY-----" })
      .exactOptional()
      .describe('Verifies events; the sandbox has its own key. Without it, transfers are polled.'),
  }),
  secrets: z.strictObject({ apiToken: secretField('an API token with full access') }),
  methods: ['bank', 'wise'],
  convertedCurrencies: null,
  isAutomatic: true,
  // How long customerTransactionId is remembered is not documented.
  keyWindowHours: 24,
  isRepeatedRejectionFinal: true,
  listDelayHours: 1,
  listsByReference: true,
  concurrency: 4,
  capabilities: ['payouts', 'returns', 'events', 'look_up', 'list'],
  open: openWise,
};

function isPublicKey(text: string): boolean {
  try {
    return !text.includes('PRIVATE') && createPublicKey(text).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

function openWise(parts: RailParts): Rail {
  const api = createWiseApi(parts);
  return {
    send: (payment) => send(payment, api, parts),
    lookUp: (payment, reference) => lookUp(payment, reference, api, parts),
    list: (span) => listPayments(span, api, parts),
    readEvent: parts.config.webhookPublicKey ? (delivery) => readWiseEvent(delivery, parts) : null,
    async test() {
      const response = await api('GET', `/v1/profiles/${parts.config.profileId}`);
      if ('outcome' in response) return { works: false, message: 'reason' in response ? response.reason : '' };
      const works = response.status === 200;
      return {
        works,
        message: works ? `${name} accepts the API token and the profile.` : `Unexpected response from ${name} (${response.status}).`,
      };
    },
  };
}

async function send(payment: Payment, api: WiseApi, parts: RailParts): Promise<Outcome> {
  const made = await createTransfer(payment, api, parts);
  if ('transfer' in made) return fundTransfer(made.transfer, payment, api, parts);
  return made.outcome.outcome === 'failed' ? checkEarlierTransfers(made.outcome, payment, api, parts) : made.outcome;
}

/**
 * An earlier call may have paid what is rejected now: the recipient may have been deleted since. An unfunded transfer may
 * still be funded by that earlier call, so the rejection counts only once it is cancelled.
 */
async function checkEarlierTransfers(
  outcome: Outcome & { outcome: 'failed' },
  payment: Payment,
  api: WiseApi,
  parts: RailParts,
): Promise<Outcome> {
  const earlier = await findTransfers(payment, api, parts);
  if (!earlier) return listUnreadable;
  const [first] = earlier;
  if (!first) return outcome;
  const found = toFoundOutcome(first, payment);
  if (found.outcome !== 'not_found') return found;
  let abandoned: Outcome = outcome;
  for (const transfer of earlier.filter(({ status }) => status === unfundedStatus)) {
    abandoned = findTransferMismatch(transfer, payment) ?? (await cancelUnfunded(outcome.code, readReference(transfer) ?? '', api));
    if (abandoned.outcome !== 'failed') break;
  }
  return abandoned;
}

async function createTransfer(payment: Payment, api: WiseApi, parts: RailParts): Promise<{ transfer: Transfer } | { outcome: Outcome }> {
  const { id, amountCents, currency, destination, memo } = payment;
  const recipient = await createRecipient(payment, api, parts);
  if ('outcome' in recipient) return recipient;
  const wanted = { sourceCurrency: currency, targetCurrency: currency, targetAmount: Number(toDecimal(amountCents, currency)) };
  const asked = await api('POST', `/v3/profiles/${parts.config.profileId}/quotes`, { ...wanted, targetAccount: recipient.id });
  const quote = readSuccess(asked, parts, { step: 'quote', destination });
  if ('outcome' in quote) return quote;
  const answered = await api('POST', '/v1/transfers', {
    targetAccount: recipient.id,
    quoteUuid: quote.read.id,
    customerTransactionId: id,
    details: { reference: memo.replace(/[^A-Za-z0-9 .-]/g, '').slice(0, currency === 'EUR' ? 35 : 10) },
  });
  const transfer = readSuccess(answered, parts, { step: 'transfer', destination });
  return 'outcome' in transfer ? transfer : { transfer: transfer.read };
}

/** Funds a transfer that awaits it; returns the outcome of any other. */
async function fundTransfer(transfer: Transfer, payment: Payment, api: WiseApi, parts: RailParts): Promise<Outcome> {
  const other = findTransferMismatch(transfer, payment);
  const reference = readReference(transfer);
  if (other || reference === null) return other ?? unknownOutcome(`Unreadable response from ${name}.`);
  if (transfer.status !== unfundedStatus) return toStatusOutcome(transfer.status, reference);
  const paid = await api('POST', `/v3/profiles/${parts.config.profileId}/transfers/${reference}/payments`, { type: 'BALANCE' });
  if ('outcome' in paid) return paid.outcome === 'unknown' ? unknownOutcome(paid.reason, reference) : paid;
  const body = parseJsonObject(paid);
  const isAnswered = paid.status === 200 || paid.status === 201;
  if (isAnswered && body?.status === 'COMPLETED') return { outcome: 'sent', reference };
  if (isAnswered && body?.status === 'REJECTED')
    return cancelUnfunded(toCode(readErrorCode(body), payment.destination, 'funding_rejected'), reference, api);
  if (paid.status === 422 && readErrorCode(body) === 'transfer.invalid-state')
    return toUnfundedOutcome(await lookUp(payment, reference, api, parts));
  const outcome = toUnclearOutcome(paid, name, parts.clock);
  return outcome.outcome === 'unknown' ? unknownOutcome(outcome.reason, reference) : outcome;
}

/** Cancels an unfunded transfer, which could otherwise be funded for two weeks. */
async function cancelUnfunded(code: string, reference: string, api: WiseApi): Promise<Outcome> {
  const cancelled = await api('PUT', `/v1/transfers/${reference}/cancel`);
  const isGone = !('outcome' in cancelled) && cancelled.status === 200 && parseJsonObject(cancelled)?.status === 'cancelled';
  return isGone
    ? failedOutcome(name, code, reference)
    : unknownOutcome(`${name} did not fund the transfer (${code}), and it could not be cancelled.`, reference);
}

function toUnfundedOutcome(found: LookUpOutcome): Outcome {
  return found.outcome === 'not_found' ? unknownOutcome(`${name} can't fund the transfer now.`) : found;
}

async function lookUp(payment: Payment, reference: string | null, api: WiseApi, parts: RailParts): Promise<LookUpOutcome> {
  if (reference !== null) {
    const response = await api('GET', `/v1/transfers/${encodeURIComponent(reference)}`);
    if ('outcome' in response) return toLookUpOutcome(response);
    const transfer = response.status === 200 ? parseJsonObject(response) : null;
    return transfer ? toFoundOutcome(transfer, payment) : toLookUpOutcome(toUnclearOutcome(response, name, parts.clock));
  }
  const found = await findTransfers(payment, api, parts);
  if (!found) return listUnreadable;
  const [first] = found;
  return first ? toFoundOutcome(first, payment) : { outcome: 'not_found' };
}

const listUnreadable = unknownOutcome(`The payment could not be looked up in ${name}'s transfer list.`);

/** Our transfers with this id, the most advanced first; null if the list can't be read. */
async function findTransfers(payment: Payment, api: WiseApi, parts: RailParts): Promise<Transfer[] | null> {
  const place = ({ status }: Transfer) => (status === 'cancelled' ? 2 : status === unfundedStatus ? 1 : 0);
  try {
    const ours: Transfer[] = [];
    for await (const transfer of listTransfersIn(estimateSpan(payment, parts.clock), api, parts)) {
      if (transfer.customerTransactionId === payment.id) ours.push(transfer);
    }
    return ours.sort((a, b) => place(a) - place(b));
  } catch {
    return null;
  }
}

/** An unfunded transfer is not a payment yet: sending again funds it. */
function toFoundOutcome(transfer: Transfer, payment: Payment): LookUpOutcome {
  const other = findTransferMismatch(transfer, payment);
  if (other) return other;
  return transfer.status === unfundedStatus ? { outcome: 'not_found' } : toStatusOutcome(transfer.status, readReference(transfer) ?? '');
}

async function* listPayments(span: Span, api: WiseApi, parts: RailParts): AsyncIterable<RailPayment> {
  for await (const transfer of listTransfersIn(span, api, parts)) {
    const payment = toRailPayment(transfer);
    if (payment) yield payment;
  }
}
