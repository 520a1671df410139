// Stripe Connect: a transfer to a connected account, keyed by our id. Stripe keeps a key for 24 hours; our id is also
// the transfer group, by which a payment is found for ever.
import type Stripe from 'stripe';
import { z } from 'zod';
import { codeOf, notLookedUp, refused, unknown } from './answers.ts';
import { baseUrl, keyText } from './fields.ts';
import type { Answer, Found, Payment, Rail, RailParts, RailPayment, RailType } from './rail.ts';
import type { Span } from './span.ts';
import { errorAnswer, name, stripeClient } from './stripe/client.ts';
import { readStripeEvent } from './stripe/events.ts';
import { paymentOf, stripeAmount, transferAnswer } from './stripe/transfer.ts';

export const stripeConnect: RailType = {
  type: 'stripe_connect',
  config: z.strictObject({ baseUrl: baseUrl('https://api.stripe.com') }),
  secrets: z.strictObject({
    secretKey: keyText('a secret or restricted key: sk_… or rk_…', /^(sk|rk)_(live|test)_[A-Za-z0-9]{8,250}$/),
    webhookSecret: keyText('the signing secret of the endpoint: whsec_…', /^whsec_[A-Za-z0-9+/=]{16,200}$/)
      .exactOptional()
      .describe('Checks events. Without it they are refused.'),
  }),
  methods: ['stripe'],
  isAutomatic: true,
  keyWindowHours: 24,
  believesRefusalOfRepeat: true,
  bookLagHours: 1,
  listsByReference: true,
  concurrency: 8,
  capabilities: ['payouts', 'returns', 'events', 'look_up', 'list'],
  open: openStripe,
};

function openStripe(parts: RailParts): Rail {
  const stripe = stripeClient(parts);
  return {
    send: (payment) => send(payment, stripe, parts),
    lookUp: (payment, reference) => lookUp(payment, reference, stripe, parts),
    list: (span) => listTransfers(span, stripe),
    readEvent: parts.secrets.webhookSecret ? (delivery) => readStripeEvent(delivery, stripe, parts) : null,
    async test() {
      try {
        await stripe.balance.retrieve();
        return { works: true, message: `${name} accepts the key.` };
      } catch (error) {
        const answer = errorAnswer(error, parts.clock);
        return { works: false, message: answer && 'reason' in answer ? answer.reason : `${name} refused to show the balance.` };
      }
    },
  };
}

async function send(payment: Payment, stripe: Stripe, { clock }: RailParts): Promise<Answer> {
  const { id, programId, affiliateId, destination, currency } = payment;
  if (destination.method !== 'stripe') return refused(name, 'destination_not_supported');
  const amount = stripeAmount(payment);
  if (amount === null) return refused(name, 'amount_not_payable');
  try {
    const transfer = await stripe.transfers.create(
      {
        ...{ amount, currency: currency.toLowerCase(), destination: destination.accountId, transfer_group: id },
        metadata: { payoutId: id, affiliateId, programId },
      },
      { idempotencyKey: id },
    );
    return transferAnswer(transfer, payment);
  } catch (error) {
    return errorAnswer(error, clock) ?? refused(name, codeOf((error as { code?: unknown }).code, destination, 'invalid_request'));
  }
}

async function lookUp(payment: Payment, reference: string | null, stripe: Stripe, { clock }: RailParts): Promise<Found> {
  try {
    if (reference !== null) return transferAnswer(await stripe.transfers.retrieve(reference), payment);
    const { data } = await stripe.transfers.list({ transfer_group: payment.id, limit: 10 });
    if (!Array.isArray(data)) return unknown(`Unreadable response from ${name}.`);
    const first = data.at(-1);
    return first ? transferAnswer(first, payment) : { outcome: 'not_found' };
  } catch (error) {
    const answer = errorAnswer(error, clock);
    return answer ? notLookedUp(answer) : unknown(`${name} does not know its own reference.`);
  }
}

async function* listTransfers({ from, to }: Span, stripe: Stripe): AsyncIterable<RailPayment> {
  const created = { gte: Math.floor(from.getTime() / 1000), lt: Math.ceil(to.getTime() / 1000) };
  for await (const transfer of stripe.transfers.list({ created, limit: 100 })) yield paymentOf(transfer);
}
