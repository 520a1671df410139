// A shop of one's own: signed JSON (Standard Webhooks), shaped like the bodies of our own API with a `type`.
import { z } from 'zod';
import { outsideId } from '../../http/outside-id.ts';
import { BadSignature } from '../../rails/rail.ts';
import { checkSigned } from '../../rails/standard-webhooks.ts';
import type { Act, Reader, Reading } from '../act.ts';
import { parsePayload, readAs } from './signature.ts';

export const generic: Reader = {
  check(delivery, { secrets }, clock) {
    const secret = secrets.webhookSecret;
    if (secret === undefined) throw new BadSignature(delivery.headers['webhook-signature'] ? 'wrong_signature' : 'missing_signature');
    const { id, at } = checkSigned(delivery, secret, clock);
    const payload = delivery.body.toString('utf8');
    const named = Envelope.safeParse(parsePayload(payload));
    if (!named.success) throw new BadSignature('malformed');
    return [{ externalId: id, topic: named.data.type, occurredAt: at, payload }];
  },
  read(topic, payload) {
    const body = readAs(Body, payload);
    const act = actOf(topic, body);
    return act ? { subject: body.orderId, acts: [act] } : ({ subject: null, acts: [], ignored: 'an unknown type' } satisfies Reading);
  },
};

const Envelope = z.object({ type: z.string().min(1).max(100) });
const Body = z.looseObject({ orderId: outsideId(255) });
const amount = z.int('must be an integer amount in cents').min(0, 'must not be negative');

/** An amount that can't be read must not be taken for one that is left out, which refunds the whole order. */
const Refund = z.looseObject({
  refundId: outsideId(255),
  amountCents: amount.nullish(),
  items: z
    .array(
      z.looseObject({
        position: z.int().min(0).nullish(),
        productId: z.string().nullish(),
        quantity: z.int().min(1).nullish(),
        amountCents: amount.nullish(),
      }),
    )
    .nullish(),
});

function actOf(topic: string, { type: _, ...body }: z.output<typeof Body>): Act | null {
  const of = [body.orderId];
  const disputed = (status: 'opened' | 'won' | 'lost'): Act => {
    const { disputeId, amountCents = null } = readAs(z.object({ disputeId: outsideId(255), amountCents: amount.optional() }), body);
    return { kind: 'dispute', of, disputeId, status, amountCents };
  };
  switch (topic) {
    case 'order.paid': {
      const { amountCents } = readAs(z.object({ amountCents: amount }), body);
      const report = { ...body, amountCents };
      return { kind: 'order', report, hints: {}, names: of, hintsUnder: of, grossCents: null, lineIds: [] };
    }
    case 'order.edited':
      return { kind: 'lowered', of, source: `generic:${body.orderId}:edit`, ...readAs(z.object({ amountCents: amount }), body) };
    case 'order.cancelled':
      return { kind: 'cancelled', of, refundId: `generic:${body.orderId}:cancelled`, reason: 'cancelled', isFinal: true };
    case 'order.refunded':
      return { kind: 'refund_as_reported', of, report: readAs(Refund, body) };
    case 'dispute.opened':
      return disputed('opened');
    case 'dispute.won':
      return disputed('won');
    case 'dispute.lost':
      return disputed('lost');
    default:
      return null;
  }
}
