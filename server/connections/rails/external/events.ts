import { jsonOf, referenceOf } from '../answers.ts';
import { BadSignature, type Delivery, type RailEvent, type RailParts } from '../rail.ts';
import { checkSigned } from '../standard-webhooks.ts';
import { statedAnswer } from './answer.ts';

const statuses: Record<string, string> = {
  'payout.paid': 'paid',
  'payout.sent': 'sent',
  'payout.failed': 'failed',
  'payout.returned': 'returned',
};

/** `{type: "payout.paid", payoutId, reference?, code?, amountCents?, currency?}`, signed as our own requests are. */
export async function readExternalEvent(delivery: Delivery, { secrets, clock }: RailParts): Promise<RailEvent[]> {
  const { id, at } = checkSigned(delivery, secrets.signingSecret ?? '', clock);
  const body = jsonOf({ body: delivery.body.toString('utf8') });
  if (!body || typeof body.type !== 'string') throw new BadSignature('malformed');
  const paymentId = typeof body.payoutId === 'string' ? body.payoutId : null;
  const reference = referenceOf(body.reference, null);
  const status = Object.hasOwn(statuses, body.type) ? statuses[body.type] : undefined;
  const answer = statedAnswer({ ...body, status }, reference ?? paymentId ?? '', null);
  const amount = typeof body.amountCents === 'number' && typeof body.currency === 'string';
  const about =
    answer && (paymentId || reference)
      ? { paymentId, reference, answer, ...(amount && { amountCents: Number(body.amountCents), currency: String(body.currency) }) }
      : null;
  return [{ id, topic: body.type.slice(0, 100), about, at }];
}
