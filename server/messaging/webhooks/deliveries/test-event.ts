// A test event, for one webhook only. It is an event of the log like any other, so that it is signed, retried and logged.
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { defineEvent } from '../../events/define.ts';
import { type EventOrigin, recordEvent } from '../../events/record.ts';
import { testEventType } from '../event-filter.ts';
import { lockWebhook, requireActive, webhookNotActive, webhookSlot } from '../webhook.ts';
import { type Delivery, DeliveryShape, requestDeliveries, toDelivery } from './delivery.ts';

export const webhookTested = defineEvent({
  type: testEventType,
  object: 'webhook',
  data: z.object({ message: z.string() }).meta({ id: 'WebhookTest', example: { message: 'This is a test.' } }),
  summary: 'A test was requested. Sent to one webhook only.',
});

export const testWebhook = endpoint({
  id: 'webhooks.test',
  route: 'POST /v1/programs/:programId/webhooks/:id/test',
  scope: 'write',
  requires: 'webhooks.write',
  tag: 'Webhooks',
  summary: 'Send a test event',
  description: 'Sends an event of the type `test`. Read the delivery that is returned for the outcome; it usually arrives within a second.',
  path: { id: webhookSlot },
  statuses: [201],
  result: DeliveryShape,
  errors: [webhookNotActive],
  async handle(tx, { actor, params }) {
    const { programId } = actor;
    const webhook = await lockWebhook(tx, programId, params.id);
    requireActive(webhook);
    const delivery = await recordTestEvent(tx, { programId, actor }, { webhookId: webhook.id });
    await recordChange(tx, { programId, actor, action: 'webhook.tested', subjectId: webhook.id });
    return toDelivery(delivery);
  },
});

/** Records a test event of a webhook, postback or notification channel, and adds its delivery. */
export async function recordTestEvent(
  tx: Tx,
  origin: EventOrigin,
  { webhookId, affiliateId = null }: { webhookId: string; affiliateId?: string | null },
): Promise<Delivery> {
  const { programId } = origin;
  await recordEvent(tx, origin, webhookTested.of({ objectId: webhookId, affiliateId, data: { message: 'This is a test.' } }));
  const events = tx.db.selectFrom('events').select(['id', 'type']).where('programId', '=', programId).where('objectType', '=', 'webhook');
  const recorded = await events.where('objectId', '=', webhookId).orderBy('objectSequence', 'desc').limit(1).executeTakeFirstOrThrow();
  await requestDeliveries(tx, { programId, webhookId, events: [recorded] }, { again: false });
  const deliveries = tx.db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('programId', '=', programId)
    .where('webhookId', '=', webhookId);
  return deliveries.where('eventId', '=', recorded.id).executeTakeFirstOrThrow();
}
