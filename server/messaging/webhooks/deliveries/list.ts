// The delivery log of a webhook.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { eventListOf, eventPage, findEventPage } from '../../../platform/http/declaration/cursor.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { line, uuid } from '../../../platform/http/declaration/fields.ts';
import { oneOf, timeRange, withinRange } from '../../../platform/http/declaration/lists.ts';
import { exampleOf } from '../../../platform/http/openapi/schemas.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import { toPayload } from '../../events/event.ts';
import { webhookSlot } from '../webhook.ts';
import {
  AttemptShape,
  type Delivery,
  DeliveryShape,
  DeliveryStatus,
  deliveryExample,
  deliverySlot,
  toAttempt,
  toDelivery,
} from './delivery.ts';

export const listDeliveries = endpoint({
  id: 'webhookDeliveries.list',
  route: 'GET /v1/programs/:programId/webhooks/:webhookId/deliveries',
  scope: 'read',
  tag: 'Webhooks',
  summary: 'List deliveries',
  description: 'Kept for 30 days.',
  path: { webhookId: webhookSlot },
  query: z.object({
    status: oneOf(DeliveryStatus),
    eventType: line(100).optional().describe('Only deliveries of events of this type.'),
    eventId: uuid.optional().describe('Only the delivery of this event.'),
    ...timeRange('created'),
    ...eventPage,
  }),
  statuses: [200],
  result: eventListOf('deliveries', DeliveryShape, 'WebhookDeliveryList'),
  async handle(ctx, { actor, params, query }) {
    const { status, eventType, eventId, createdFrom, createdTo } = query;
    let deliveries = ctx.db.selectFrom('webhookDeliveries').where('programId', '=', actor.programId);
    deliveries = deliveries.where('webhookId', '=', params.webhookId);
    if (status) deliveries = deliveries.where('status', 'in', status.includes('pending') ? [...status, 'sending'] : status);
    if (eventType) deliveries = deliveries.where('eventType', '=', eventType);
    if (eventId) deliveries = deliveries.where('eventId', '=', eventId);
    deliveries = deliveries.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, ...found } = await findEventPage(deliveries, query, (selected) => selected.selectAll());
    return { deliveries: rows.map(toDelivery), ...found };
  },
});

const FullDelivery = DeliveryShape.extend({
  body: z.string().nullable().describe('The body that is sent; null if the event was deleted since.'),
  attempts: z.array(AttemptShape).describe('Oldest first.'),
}).meta({
  id: 'FullWebhookDelivery',
  example: { ...deliveryExample, body: '{"type":"affiliate.created"}', attempts: [exampleOf(AttemptShape)] },
});

export const readDelivery = endpoint({
  id: 'webhookDeliveries.get',
  route: 'GET /v1/programs/:programId/webhooks/:webhookId/deliveries/:id',
  scope: 'read',
  tag: 'Webhooks',
  summary: 'Get a delivery with its requests and responses',
  path: { webhookId: webhookSlot, id: deliverySlot },
  statuses: [200],
  result: FullDelivery,
  async handle(ctx, { actor: { programId }, params }) {
    const delivery = await getDelivery(ctx, programId, params);
    const events = ctx.db.selectFrom('events').selectAll().where('programId', '=', programId);
    const event = await events.where('id', '=', delivery.eventId).executeTakeFirst();
    const attempts = ctx.db.selectFrom('webhookAttempts').selectAll().where('programId', '=', programId);
    const rows = await attempts.where('deliveryId', '=', delivery.id).orderBy('number').execute();
    const body = event ? JSON.stringify(toPayload(event)) : null;
    return { ...toDelivery(delivery), body, attempts: rows.map((row) => toAttempt(row, delivery.eventId)) };
  },
});

/** A delivery of this webhook. Throws NotFound. */
export async function getDelivery(
  { db }: Pick<Context, 'db'>,
  programId: string,
  { webhookId, id }: { webhookId: string; id: string },
): Promise<Delivery> {
  const deliveries = db.selectFrom('webhookDeliveries').selectAll().where('programId', '=', programId).where('webhookId', '=', webhookId);
  const found = await deliveries.where('id', '=', id).executeTakeFirst();
  if (!found) throw new NotFound();
  return found;
}
