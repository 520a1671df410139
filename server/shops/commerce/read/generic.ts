// A shop of one's own: signed JSON (Standard Webhooks), shaped like the bodies of our own API with a `type`.
import { z } from 'zod';
import { BadSignature } from '../../../connections/rails/rail.ts';
import { checkSigned } from '../../../connections/rails/standard-webhooks.ts';
import { ReportedRefund } from '../../../earning/refunds/report.ts';
import { externalIdentifier } from '../../../platform/http/declaration/external-identifier.ts';
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
const Body = z.looseObject({ orderId: externalIdentifier(255) });
const amount = z.int('must be an integer amount in cents').min(0, 'must not be negative');

function actOf(topic: string, { type: _, ...body }: z.output<typeof Body>): Act | null {
  const of = [body.orderId];
  const disputed = (status: 'opened' | 'won' | 'lost'): Act => {
    const { disputeId, amountCents = null } = readAs(
      z.object({ disputeId: externalIdentifier(255), amountCents: amount.optional() }),
      body,
    );
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
      return { kind: 'refund_as_reported', of, report: readAs(ReportedRefund, body) };
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
