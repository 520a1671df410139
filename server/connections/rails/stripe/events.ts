import Stripe from 'stripe';
import { BadSignature, type Delivery, MalformedEvent, type RailEvent, type RailParts } from '../rail.ts';
import { checkAge, toleranceSeconds } from '../standard-webhooks.ts';
import { fromStripeUnits } from './amounts.ts';
import { toTransferOutcome } from './transfer.ts';

/** `transfer.*` events contain the status of a transfer; other events are stored and ignored. */
export async function readStripeEvent({ headers, body }: Delivery, stripe: Stripe, { secrets, clock }: RailParts): Promise<RailEvent[]> {
  const header = headers['stripe-signature'];
  if (!header) throw new BadSignature('missing_signature');
  let event: Stripe.Event;
  try {
    event = stripe.webhooks.constructEvent(body, header, secrets.webhookSecret ?? '', toleranceSeconds, undefined, clock.now().getTime());
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw new MalformedEvent();
    throw new BadSignature(/tolerance/i.test(error.message) ? 'old_timestamp' : 'wrong_signature');
  }
  // The library only rejects old events.
  checkAge(new Date(Number(/(?:^|,)t=(\d+)/.exec(header)?.[1]) * 1000), clock);
  if (typeof event?.id !== 'string' || typeof event.type !== 'string') throw new MalformedEvent();
  return [{ id: event.id, topic: event.type, about: readPayment(event), at: new Date(event.created * 1000) }];
}

function readPayment(event: Stripe.Event): RailEvent['about'] {
  if (event.type !== 'transfer.created' && event.type !== 'transfer.reversed' && event.type !== 'transfer.updated') return null;
  const transfer = event.data.object;
  const outcome = toTransferOutcome(transfer, null);
  if (outcome.outcome === 'unknown') return null;
  const amountCents = fromStripeUnits(transfer.amount, transfer.currency);
  const about = { paymentId: transfer.metadata.payoutId ?? null, reference: transfer.id, outcome };
  return amountCents === null ? about : { ...about, amountCents, currency: transfer.currency.toUpperCase() };
}
