// Sending again: one delivery, or all events of a range. Receivers recognize an event by its `webhook-id`.
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, timestampIn, uuid } from '../../../platform/http/declaration/fields.ts';
import { withinRange } from '../../../platform/http/declaration/lists.ts';
import { Invalid, InvalidState, NotFound, NothingToDo } from '../../../platform/lib/errors.ts';
import { numberToEnd } from '../../events/number.ts';
import { selectEvents } from '../../events/read.ts';
import { findGroups, selectWanted } from '../dispatch/select-wanted.ts';
import { lockWebhook, requireActive, type Webhook, webhookNotActive, webhookSlot } from '../webhook.ts';
import { DeliveryShape, deliverySlot, requestDeliveries, toDelivery } from './delivery.ts';
import { getDelivery } from './list.ts';

/** One request must not fill the queue for hours. */
const maxReplayed = 10_000;

export const redeliver = endpoint({
  id: 'webhookDeliveries.redeliver',
  route: 'POST /v1/programs/:programId/webhooks/:webhookId/deliveries/:id/redeliver',
  scope: 'write',
  requires: 'webhooks.write',
  tag: 'Webhooks',
  summary: 'Send a delivery again',
  description: 'Whatever its status. Failed attempts are retried as those of a new delivery.',
  path: { webhookId: webhookSlot, id: deliverySlot },
  statuses: [200],
  result: DeliveryShape,
  errors: [webhookNotActive],
  async handle(tx, { actor: { programId }, params }) {
    requireActive(await lockWebhook(tx, programId, params.webhookId));
    const { webhookId, eventId, eventType } = await getDelivery(tx, programId, params);
    await requestDeliveries(tx, { programId, webhookId, events: [{ id: eventId, type: eventType }] }, { again: true });
    return toDelivery(await getDelivery(tx, programId, params));
  },
});

const Range = z
  .object({
    fromEventId: uuid.optional().describe('The first event, in the order of the event log.'),
    toEventId: uuid.optional().describe('The last event.'),
    createdFrom: timestampIn.optional().describe('Only events at or after this time.'),
    createdTo: timestampIn.optional().describe('Only events before this time.'),
    isFailedOnly: z.boolean('must be true or false').default(false).describe('Only events whose delivery to this webhook failed.'),
  })
  .meta({ id: 'WebhookReplay', example: { createdFrom: '2026-11-20T00:00:00Z', createdTo: '2026-11-21T00:00:00Z' } });
type Range = z.output<typeof Range>;

export const replayWebhook = endpoint({
  id: 'webhooks.replay',
  route: 'POST /v1/programs/:programId/webhooks/:id/replay',
  scope: 'write',
  requires: 'webhooks.write',
  tag: 'Webhooks',
  summary: 'Send the events of a range again',
  description:
    'By events, by time, or both. Includes events from before the webhook was created, and those that it received. The filters of the ' +
    'webhook apply.',
  path: { id: webhookSlot },
  body: Range,
  statuses: [200],
  result: z
    .object({ requestedCount: countOut.describe('How many deliveries are due now.') })
    .meta({ id: 'WebhookReplayed', example: { requestedCount: 214 } }),
  errors: [
    webhookNotActive,
    { status: 400, code: 'too_many_events', when: `The range contains more than ${maxReplayed} events. Replay it in parts.` },
    { status: 404, code: 'not_found', when: '`fromEventId` or `toEventId` was not found in this program.' },
    { status: 422, code: 'nothing_to_replay', when: 'The range contains no events for this webhook.' },
  ],
  async handle(tx, { actor, params, body }) {
    const { programId } = actor;
    if (!body.fromEventId && !body.createdFrom)
      throw new Invalid([{ path: ['createdFrom'], message: 'is required unless `fromEventId` is sent' }]);
    const webhook = await lockWebhook(tx, programId, params.id);
    requireActive(webhook);
    const events = await findInRange(tx, webhook, body);
    const requestedCount = await requestDeliveries(tx, { programId, webhookId: webhook.id, events }, { again: true });
    if (requestedCount === 0) throw new NothingToDo('nothing_to_replay', 'The range contains no events for this webhook.');
    await recordChange(tx, { programId, actor, action: 'webhook.replayed', subjectId: webhook.id, after: { ...body, requestedCount } });
    return { requestedCount };
  },
});

async function findInRange(tx: Tx, webhook: Webhook, { fromEventId, toEventId, createdFrom, createdTo, isFailedOnly }: Range) {
  const { programId } = webhook;
  await numberToEnd(tx, programId);
  const [from, to] = [
    await findPosition(tx, programId, 'fromEventId', fromEventId),
    await findPosition(tx, programId, 'toEventId', toEventId),
  ];
  let events = selectEvents(tx, programId).where(withinRange('events.createdAt', createdFrom, createdTo));
  if (from !== null) events = events.where('events.position', '>=', from);
  if (to !== null) events = events.where('events.position', '<=', to);
  if (isFailedOnly) {
    const failed = tx.db.selectFrom('webhookDeliveries').select('eventId').where('programId', '=', programId);
    events = events.where('events.id', 'in', failed.where('webhookId', '=', webhook.id).where('status', '=', 'failed'));
  }
  const found = await events
    .select(['events.id', 'events.type', 'events.objectId', 'events.affiliateId'])
    .orderBy('events.position')
    .limit(maxReplayed + 1)
    .execute();
  if (found.length > maxReplayed)
    throw new InvalidState('too_many_events', `The range contains more than ${maxReplayed} events. Replay it in parts.`);
  return selectWanted(webhook, found, await findGroups(tx, webhook, found));
}

async function findPosition(tx: Tx, programId: string, field: string, eventId: string | undefined): Promise<number | null> {
  if (eventId === undefined) return null;
  const found = await selectEvents(tx, programId).select('position').where('id', '=', eventId).executeTakeFirst();
  if (!found) throw new NotFound(field);
  return found.position;
}
