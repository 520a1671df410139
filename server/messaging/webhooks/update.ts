// Updating, pausing and deleting a webhook. A webhook that becomes active again continues with the first event it missed.

import type { Updateable } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { difference } from '../../platform/audit/difference.ts';
import { recordChange } from '../../platform/audit/record.ts';
import type { Webhooks } from '../../platform/db/schema.gen.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { systemTime } from '../../platform/lib/clock.ts';
import { markWork } from '../../platform/queue/program-work.ts';
import { numberToEnd } from '../events/number.ts';
import { requirePublicUrl } from './create.ts';
import { markDeliveries } from './deliveries/delivery.ts';
import { lockWebhook, requireGroups, resumed, toWebhook, WebhookShape, webhookFields, webhookSlot } from './webhook.ts';

const Change = z
  .object({
    ...webhookFields,
    status: z.enum(['active', 'paused']).describe('`active` also ends `disabled`. What was missed is delivered then.'),
  })
  .partial()
  .meta({ id: 'WebhookUpdate', example: { status: 'paused' } });

export const updateWebhook = endpoint({
  id: 'webhooks.update',
  route: 'PATCH /v1/programs/:programId/webhooks/:id',
  scope: 'write',
  requires: 'webhooks.write',
  isSensitive: true,
  tag: 'Webhooks',
  summary: 'Update, pause or resume a webhook',
  description: 'Omitted fields keep their value. Deliveries that are waiting go to the new address.',
  path: { id: webhookSlot },
  body: Change,
  statuses: [200],
  result: WebhookShape,
  async prepare(ctx, body) {
    if (body.url !== undefined) await requirePublicUrl(ctx, body.url);
    return body;
  },
  async handle(tx, { actor, params, body }) {
    const { programId } = actor;
    const [before, now] = [await lockWebhook(tx, programId, params.id), tx.clock.now()];
    await requireGroups(tx, programId, body.groupIds);
    const { url, description, eventTypes, groupIds, status } = before;
    const change = difference<typeof Change._output>({ url, description, eventTypes, groupIds, status: status as 'active' }, body);
    if (!change) return toWebhook(before, systemTime(tx));
    const columns: Updateable<Webhooks> = { ...change.after, updatedAt: now };
    if (change.after.status === 'active') await markForReading(tx, programId);
    const after = await tx.db
      .updateTable('webhooks')
      .set(change.after.status === 'active' ? { ...columns, ...resumed } : columns)
      .where('programId', '=', programId)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordChange(tx, { programId, actor, action: 'webhook.updated', subjectId: before.id, ...change });
    return toWebhook(after, systemTime(tx));
  },
});

/** What the webhook missed is read and sent. The end of the log stays locked, so that events which follow see it active. */
async function markForReading(tx: Tx, programId: string): Promise<void> {
  await numberToEnd(tx, programId);
  await markWork(tx, { programId, kind: 'events', dueAt: systemTime(tx) });
  await markDeliveries(tx, [{ programId }]);
}

export const deleteWebhook = endpoint({
  id: 'webhooks.delete',
  route: 'DELETE /v1/programs/:programId/webhooks/:id',
  scope: 'write',
  requires: 'webhooks.write',
  tag: 'Webhooks',
  summary: 'Delete a webhook',
  description: 'Erases its address, its secrets and, within a day, its deliveries. Nothing is sent anymore.',
  path: { id: webhookSlot },
  statuses: [200],
  result: WebhookShape,
  async handle(tx, { actor, params }) {
    const { programId } = actor;
    const [before, now] = [await lockWebhook(tx, programId, params.id), tx.clock.now()];
    const erased = { url: '', description: null, secrets: null, previousSecretUntil: null, status: 'paused' };
    const webhooks = tx.db.updateTable('webhooks').set({ ...erased, deletedAt: now, updatedAt: now });
    await webhooks.where('programId', '=', programId).where('id', '=', before.id).execute();
    const { url, eventTypes } = before;
    await recordChange(tx, { programId, actor, action: 'webhook.deleted', subjectId: before.id, before: { url, eventTypes } });
    return toWebhook(before, systemTime(tx));
  },
});
