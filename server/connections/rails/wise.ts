// Wise: recipient, quote, transfer, and only then the payment from the balance. Making a transfer pays nobody; our id
// as customerTransactionId makes it once, and what is funded already can't be funded again.
import { createPublicKey } from 'node:crypto';
import { z } from 'zod';
import { toDecimal } from '../../platform/lib/currency.ts';
import { codeOf, jsonOf, notLookedUp, refused, unclear, unknown } from './answers.ts';
import { baseUrl, keyText } from './fields.ts';
import type { Answer, Found, Payment, Rail, RailParts, RailPayment, RailType } from './rail.ts';
import { type Span, spanOf } from './span.ts';
import { errorCode, name, readOr, type WiseApi, wiseApi } from './wise/api.ts';
import { readWiseEvent } from './wise/events.ts';
import { transfersIn } from './wise/list.ts';
import { recipientOf } from './wise/recipient.ts';
import { otherTransfer, paymentOf, referenceIn, stateAnswer, type Transfer, unfunded } from './wise/transfer.ts';

export const wise: RailType = {
  type: 'wise',
  config: z.strictObject({
    baseUrl: baseUrl('https://api.wise.com'),
    profileId: keyText('the number of the business profile', /^\d{1,15}$/).describe('Whose balance pays.'),
    webhookPublicKey: z
      .string()
      .max(2000)
      .refine(isPublicKey, { error: "must be Wise's public key in PEM form: -----BEGIN PUBLIC KEY-----" })
      .exactOptional()
      .describe('Checks events; the sandbox has another one. Without it transfers are asked for.'),
  }),
  secrets: z.strictObject({ apiToken: keyText('an API token with full access') }),
  methods: ['bank', 'wise'],
  isAutomatic: true,
  // How long customerTransactionId is remembered is not documented.
  keyWindowHours: 24,
  believesRefusalOfRepeat: true,
  bookLagHours: 1,
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
  const api = wiseApi(parts);
  return {
    send: (payment) => send(payment, api, parts),
    lookUp: (payment, reference) => lookUp(payment, reference, api, parts),
    list: (span) => listPayments(span, api, parts),
    readEvent: parts.config.webhookPublicKey ? (delivery) => readWiseEvent(delivery, parts) : null,
    async test() {
      const response = await api('GET', `/v1/profiles/${parts.config.profileId}`);
      if ('outcome' in response) return { works: false, message: 'reason' in response ? response.reason : '' };
      const works = response.status === 200;
      return { works, message: works ? `${name} knows the token and the profile.` : `${name} answered ${response.status}.` };
    },
  };
}

async function send(payment: Payment, api: WiseApi, parts: RailParts): Promise<Answer> {
  const made = await makeTransfer(payment, api, parts);
  if ('transfer' in made) return settle(made.transfer, payment, api, parts);
  return made.answer.outcome === 'failed' ? refusedNow(made.answer, payment, api, parts) : made.answer;
}

/**
 * An earlier call may have paid what is refused today: the recipient can be gone since. Also a transfer that waits
 * may be funded any moment, by that earlier call: the refusal counts only once it is cancelled.
 */
async function refusedNow(answer: Answer & { outcome: 'failed' }, payment: Payment, api: WiseApi, parts: RailParts): Promise<Answer> {
  const earlier = await transfersOf(payment, api, parts);
  if (!earlier) return notInBook;
  const [first] = earlier;
  if (!first) return answer;
  const found = foundAnswer(first, payment);
  if (found.outcome !== 'not_found') return found;
  let abandoned: Answer = answer;
  for (const transfer of earlier.filter(({ status }) => status === unfunded)) {
    abandoned = otherTransfer(transfer, payment) ?? (await abandon(answer.code, referenceIn(transfer) ?? '', api));
    if (abandoned.outcome !== 'failed') break;
  }
  return abandoned;
}

async function makeTransfer(payment: Payment, api: WiseApi, parts: RailParts): Promise<{ transfer: Transfer } | { answer: Answer }> {
  const { id, amountCents, currency, destination, memo } = payment;
  const recipient = await recipientOf(payment, api, parts);
  if ('answer' in recipient) return recipient;
  const wanted = { sourceCurrency: currency, targetCurrency: currency, targetAmount: Number(toDecimal(amountCents, currency)) };
  const asked = await api('POST', `/v3/profiles/${parts.config.profileId}/quotes`, { ...wanted, targetAccount: recipient.id });
  const quote = readOr(asked, parts, { step: 'quote', destination });
  if ('answer' in quote) return quote;
  const answered = await api('POST', '/v1/transfers', {
    ...{ targetAccount: recipient.id, quoteUuid: quote.read.id, customerTransactionId: id },
    details: { reference: memo.replace(/[^A-Za-z0-9 .-]/g, '').slice(0, currency === 'EUR' ? 35 : 10) },
  });
  const transfer = readOr(answered, parts, { step: 'transfer', destination });
  return 'answer' in transfer ? transfer : { transfer: transfer.read };
}

/** Funds a transfer that waits for it; says how another one stands. */
async function settle(transfer: Transfer, payment: Payment, api: WiseApi, parts: RailParts): Promise<Answer> {
  const other = otherTransfer(transfer, payment);
  const reference = referenceIn(transfer);
  if (other || reference === null) return other ?? unknown(`Unreadable response from ${name}.`);
  if (transfer.status !== unfunded) return stateAnswer(transfer.status, reference);
  const paid = await api('POST', `/v3/profiles/${parts.config.profileId}/transfers/${reference}/payments`, { type: 'BALANCE' });
  if ('outcome' in paid) return paid.outcome === 'unknown' ? unknown(paid.reason, reference) : paid;
  const body = jsonOf(paid);
  const isAnswered = paid.status === 200 || paid.status === 201;
  if (isAnswered && body?.status === 'COMPLETED') return { outcome: 'sent', reference };
  if (isAnswered && body?.status === 'REJECTED')
    return abandon(codeOf(errorCode(body), payment.destination, 'funding_rejected'), reference, api);
  if (paid.status === 422 && errorCode(body) === 'transfer.invalid-state') return notSent(await lookUp(payment, reference, api, parts));
  const answer = unclear(paid, name, parts.clock);
  return answer.outcome === 'unknown' ? unknown(answer.reason, reference) : answer;
}

/** A transfer that wasn't funded would wait for two weeks, and anybody could still pay it. */
async function abandon(code: string, reference: string, api: WiseApi): Promise<Answer> {
  const cancelled = await api('PUT', `/v1/transfers/${reference}/cancel`);
  const isGone = !('outcome' in cancelled) && cancelled.status === 200 && jsonOf(cancelled)?.status === 'cancelled';
  return isGone
    ? refused(name, code, reference)
    : unknown(`${name} did not fund the transfer (${code}), and it could not be cancelled.`, reference);
}

function notSent(found: Found): Answer {
  return found.outcome === 'not_found' ? unknown(`${name} says that the transfer can not be funded now.`) : found;
}

async function lookUp(payment: Payment, reference: string | null, api: WiseApi, parts: RailParts): Promise<Found> {
  if (reference !== null) {
    const response = await api('GET', `/v1/transfers/${encodeURIComponent(reference)}`);
    if ('outcome' in response) return notLookedUp(response);
    const transfer = response.status === 200 ? jsonOf(response) : null;
    return transfer ? foundAnswer(transfer, payment) : notLookedUp(unclear(response, name, parts.clock));
  }
  const found = await transfersOf(payment, api, parts);
  if (!found) return notInBook;
  const [first] = found;
  return first ? foundAnswer(first, payment) : { outcome: 'not_found' };
}

const notInBook = unknown(`It could not be looked up in ${name}'s book.`);

/** Transfers of ours under this id, the liveliest first; null where the book can't be read. */
async function transfersOf(payment: Payment, api: WiseApi, parts: RailParts): Promise<Transfer[] | null> {
  const place = ({ status }: Transfer) => (status === 'cancelled' ? 2 : status === unfunded ? 1 : 0);
  try {
    const ours: Transfer[] = [];
    for await (const transfer of transfersIn(spanOf(payment, parts.clock), api, parts)) {
      if (transfer.customerTransactionId === payment.id) ours.push(transfer);
    }
    return ours.sort((a, b) => place(a) - place(b));
  } catch {
    return null;
  }
}

/** An unfunded transfer is no payment yet: sent again, it is funded. */
function foundAnswer(transfer: Transfer, payment: Payment): Found {
  const other = otherTransfer(transfer, payment);
  if (other) return other;
  return transfer.status === unfunded ? { outcome: 'not_found' } : stateAnswer(transfer.status, referenceIn(transfer) ?? '');
}

async function* listPayments(span: Span, api: WiseApi, parts: RailParts): AsyncIterable<RailPayment> {
  for await (const transfer of transfersIn(span, api, parts)) {
    const payment = paymentOf(transfer);
    if (payment) yield payment;
  }
}
