// A store with its own integration: signed JSON (Standard Webhooks) in the form of the API's request bodies,
// with a `type`.
import { z } from 'zod';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { BadSignature, MalformedEvent } from '../rails/rail.ts';
import { verifySignature, webhookSecret } from '../rails/standard-webhooks.ts';
import { parseAs, parsePayload } from './payload.ts';
import { ignore, type ParsedEvent, type StoreAction, type StoreType } from './store.ts';

export const generic: StoreType = {
  type: 'generic',
  config: z.strictObject({}),
  secrets: z.strictObject({
    webhookSecret: z.string().regex(webhookSecret, 'must be whsec_ and 24 to 64 bytes in base64').exactOptional(),
  }),
  generatedSecret: 'webhookSecret',
  capabilities: ['orders', 'refunds', 'disputes'],
  buildTestRequest: () => null,
  verifyDelivery(delivery, { secrets }, clock) {
    const secret = secrets.webhookSecret;
    if (secret === undefined) throw new BadSignature(delivery.headers['webhook-signature'] ? 'wrong_signature' : 'missing_signature');
    const { id, at } = verifySignature(delivery, secret, clock);
    const payload = delivery.body.toString('utf8');
    const envelope = Envelope.safeParse(parsePayload(payload));
    if (!envelope.success) throw new MalformedEvent();
    return [{ externalId: id, topic: envelope.data.type, occurredAt: at, payload }];
  },
  parseEvent(topic, payload): ParsedEvent {
    const body = parseAs(Body, payload);
    const action = parseAction(topic, body);
    return action ? { subject: body.orderId, actions: [action] } : ignore('unsupported_topic');
  },
  listProducts: null,
  createCoupon: null,
};

const Envelope = z.object({ type: z.string().min(1).max(100) });
const Body = z.looseObject({ orderId: externalIdentifier(255) });
const amountCents = z.int('must be an integer amount in cents').min(0, 'must not be negative');
const Amount = z.object({ amountCents });
const Dispute = z.object({ disputeId: externalIdentifier(255), amountCents: amountCents.optional() });

function parseAction(topic: string, { type: _, ...body }: z.output<typeof Body>): StoreAction | null {
  const { orderId } = body;
  const references = [orderId];
  switch (topic) {
    case 'order.paid': {
      const order = { ...body, amountCents: parseAs(Amount, body).amountCents };
      return { kind: 'order', order, signals: {}, references, signalReferences: references, grossCents: null, lineIds: [] };
    }
    case 'order.edited':
      return { kind: 'edit', references, source: `generic:${orderId}:edit`, amountCents: parseAs(Amount, body).amountCents };
    case 'order.cancelled':
      return { kind: 'cancellation', references, refundId: `generic:${orderId}:cancelled`, reason: 'cancelled', isFinal: true };
    case 'order.refunded':
      return { kind: 'reported_refund', references, report: body };
    case 'dispute.opened':
      return parseDispute(references, body, 'opened');
    case 'dispute.won':
      return parseDispute(references, body, 'won');
    case 'dispute.lost':
      return parseDispute(references, body, 'lost');
    default:
      return null;
  }
}

function parseDispute(references: readonly string[], body: unknown, status: 'opened' | 'won' | 'lost'): StoreAction {
  const { disputeId, amountCents: disputedCents = null } = parseAs(Dispute, body);
  return { kind: 'dispute', references, disputeId, status, amountCents: disputedCents };
}
