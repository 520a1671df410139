// The payments of Stripe Connect, through Stripe's library.
import type Stripe from 'stripe';
import { failedOutcome, toCode, toLookUpOutcome, unknownOutcome } from '../outcomes.ts';
import type { LookUpOutcome, Outcome, Payment, Rail, RailParts, RailPayment } from '../rail.ts';
import type { Span } from '../time-span.ts';
import { createStripeClient, name, toErrorOutcome } from './client.ts';
import { readStripeEvent } from './events.ts';
import { toRailPayment, toStripeAmount, toTransferOutcome } from './transfer.ts';

export function openStripe(parts: RailParts) {
  const stripe = createStripeClient(parts);
  return {
    send: (payment) => send(payment, stripe, parts),
    lookUp: (payment, reference) => lookUp(payment, reference, stripe, parts),
    list: (span) => listTransfers(span, stripe),
    readEvent: (delivery) => readStripeEvent(delivery, stripe, parts),
    async test() {
      try {
        await stripe.balance.retrieve();
        return { works: true, message: `${name} accepts the API key.` };
      } catch (error) {
        const outcome = toErrorOutcome(error, parts.clock);
        return { works: false, message: outcome && 'reason' in outcome ? outcome.reason : `${name} rejected the request for the balance.` };
      }
    },
  } satisfies Rail;
}

async function send(payment: Payment, stripe: Stripe, { clock }: RailParts): Promise<Outcome> {
  const { id, programId, affiliateId, destination, currency } = payment;
  if (destination.method !== 'stripe') return failedOutcome(name, 'destination_not_supported');
  const amount = toStripeAmount(payment);
  if (amount === null) return failedOutcome(name, 'amount_not_payable');
  try {
    const transfer = await stripe.transfers.create(
      {
        amount,
        currency: currency.toLowerCase(),
        destination: destination.accountId,
        transfer_group: id,
        metadata: { payoutId: id, affiliateId, programId },
      },
      { idempotencyKey: id },
    );
    return toTransferOutcome(transfer, payment);
  } catch (error) {
    return toErrorOutcome(error, clock) ?? failedOutcome(name, toCode((error as { code?: unknown }).code, destination, 'invalid_request'));
  }
}

async function lookUp(payment: Payment, reference: string | null, stripe: Stripe, { clock }: RailParts): Promise<LookUpOutcome> {
  try {
    if (reference !== null) return toTransferOutcome(await stripe.transfers.retrieve(reference), payment);
    const { data } = await stripe.transfers.list({ transfer_group: payment.id, limit: 10 });
    if (!Array.isArray(data)) return unknownOutcome(`Unreadable response from ${name}.`);
    const first = data.at(-1);
    return first ? toTransferOutcome(first, payment) : { outcome: 'not_found' };
  } catch (error) {
    const outcome = toErrorOutcome(error, clock);
    return outcome ? toLookUpOutcome(outcome) : unknownOutcome(`${name} did not find its own reference.`);
  }
}

async function* listTransfers({ from, to }: Span, stripe: Stripe): AsyncIterable<RailPayment> {
  const created = { gte: Math.floor(from.getTime() / 1000), lt: Math.ceil(to.getTime() / 1000) };
  for await (const transfer of stripe.transfers.list({ created, limit: 100 })) yield toRailPayment(transfer);
}
