import { parseJsonObject, toReference } from '../outcomes.ts';
import { type Delivery, MalformedEvent, type RailEvent, type RailParts } from '../rail.ts';
import { verifySignature } from '../standard-webhooks.ts';
import { toStatedOutcome } from './outcome.ts';

const statuses: Record<string, string> = {
  'payout.paid': 'paid',
  'payout.sent': 'sent',
  'payout.failed': 'failed',
  'payout.returned': 'returned',
};

/** `{type: "payout.paid", payoutId, reference?, code?, amountCents?, currency?}`, signed like our own requests. */
export async function readExternalEvent(delivery: Delivery, { secrets, clock }: RailParts): Promise<RailEvent[]> {
  const { id, at } = verifySignature(delivery, secrets.signingSecret ?? '', clock);
  const body = parseJsonObject({ body: delivery.body.toString('utf8') });
  if (!body || typeof body.type !== 'string') throw new MalformedEvent();
  const paymentId = typeof body.payoutId === 'string' ? body.payoutId : null;
  const reference = toReference(body.reference, null);
  const status = Object.hasOwn(statuses, body.type) ? statuses[body.type] : undefined;
  const outcome = toStatedOutcome({ ...body, status }, reference ?? paymentId ?? '', null);
  const payment = outcome && (paymentId || reference) ? { paymentId, reference, outcome } : null;
  const hasAmount = typeof body.amountCents === 'number' && typeof body.currency === 'string';
  const about = payment && hasAmount ? { ...payment, amountCents: Number(body.amountCents), currency: String(body.currency) } : payment;
  return [{ id, topic: body.type.slice(0, 100), about, at }];
}
