// A test event, for one webhook only. It is an event of the log like any other, so that it is signed, retried and logged.
import { z } from 'zod';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { defineEvent } from '../../events/define.ts';
import { recordEvent } from '../../events/record.ts';
import { testEventType } from '../event-filter.ts';
import { lockWebhook, requireActive, webhookNotActive, webhookSlot } from '../webhook.ts';
import { DeliveryShape, requestDeliveries, toDelivery } from './delivery.ts';

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
    const event = webhookTested.of({ objectId: webhook.id, data: { message: 'This is a test.' } });
    await recordEvent(tx, { programId, actor }, event);
    const events = tx.db.selectFrom('events').select(['id', 'type']).where('programId', '=', programId).where('objectType', '=', 'webhook');
    const recorded = await events.where('objectId', '=', webhook.id).orderBy('objectSequence', 'desc').limit(1).executeTakeFirstOrThrow();
    await requestDeliveries(tx, { programId, webhookId: webhook.id, events: [recorded] }, { again: false });
    await recordChange(tx, { programId, actor, action: 'webhook.tested', subjectId: webhook.id });
    const deliveries = tx.db
      .selectFrom('webhookDeliveries')
      .selectAll()
      .where('programId', '=', programId)
      .where('webhookId', '=', webhook.id);
    return toDelivery(await deliveries.where('eventId', '=', recorded.id).executeTakeFirstOrThrow());
  },
});
