// Updating, pausing and deleting a notification channel. One that becomes active again receives what happens from then on.
import type { Updateable } from 'kysely';
import { z } from 'zod';
import { difference } from '../../../platform/audit/difference.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import type { Webhooks } from '../../../platform/db/schema.gen.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { numberToEnd } from '../../events/number.ts';
import { requirePublicUrl } from '../create.ts';
import { markDeliveries } from '../deliveries/delivery.ts';
import { resumed } from '../webhook.ts';
import { ChannelShape, channelFields, channelSlot, lockChannel, readChannel, toChannel } from './channel.ts';
import { encryptAddress, maskAddress } from './encrypted-address.ts';

const Change = z
  .object({ ...channelFields, status: z.enum(['active', 'paused']).describe('`active` also ends `disabled`.') })
  .partial()
  .meta({ id: 'NotificationChannelUpdate', example: { status: 'paused' } });

export const updateChannel = endpoint({
  id: 'notificationChannels.update',
  route: 'PATCH /v1/programs/:programId/notification-channels/:id',
  scope: 'write',
  requires: 'webhooks.write',
  isSensitive: true,
  tag: 'Webhooks',
  summary: 'Update, pause or resume a notification channel',
  description: 'Omitted fields keep their value. Messages that are waiting go to the new address.',
  path: { id: channelSlot },
  body: Change,
  statuses: [200],
  result: ChannelShape,
  async prepare(ctx, body) {
    if (body.url !== undefined) await requirePublicUrl(ctx, body.url);
    return body;
  },
  async handle(tx, { actor, params: { id }, body: { url: sent, ...body } }) {
    const { programId } = actor;
    const before = await lockChannel(tx, programId, id);
    const { name, url, kinds, locale, status } = toChannel(before, undefined);
    const current = { name, url, kinds, locale, status: status as 'active' | 'paused' };
    const change = difference<typeof current>(current, sent === undefined ? body : { ...body, url: maskAddress(sent) });
    const address = sent === undefined ? {} : { address: encryptAddress(tx, id, sent) };
    if (!change && sent === undefined) return readChannel(tx, before);
    const isResumed = change?.after.status === 'active';
    const { name: description, kinds: notificationKinds, ...others } = change?.after ?? {};
    const columns: Updateable<Webhooks> = { ...others, ...address, updatedAt: tx.clock.now() };
    if (description !== undefined) columns.description = description;
    if (notificationKinds !== undefined) columns.notificationKinds = notificationKinds;
    if (isResumed) Object.assign(columns, resumed, { readPosition: await numberToEnd(tx, programId) });
    if (isResumed) await markDeliveries(tx, [{ programId }]);
    const channels = tx.db.updateTable('webhooks').set(columns).where('programId', '=', programId).where('id', '=', id);
    const after = await channels.returningAll().executeTakeFirstOrThrow();
    const shown = change ?? { before: { url }, after: { url: after.url } };
    await recordChange(tx, { programId, actor, action: 'notification_channel.updated', subjectId: id, ...shown });
    return readChannel(tx, after);
  },
});

export const deleteChannel = endpoint({
  id: 'notificationChannels.delete',
  route: 'DELETE /v1/programs/:programId/notification-channels/:id',
  scope: 'write',
  requires: 'webhooks.write',
  tag: 'Webhooks',
  summary: 'Delete a notification channel',
  description: 'Erases its address and, within a day, its deliveries. Nothing is posted anymore.',
  path: { id: channelSlot },
  statuses: [200],
  result: ChannelShape,
  async handle(tx, { actor, params: { id } }) {
    const { programId } = actor;
    const [before, now] = [await lockChannel(tx, programId, id), tx.clock.now()];
    const erased = { url: '', address: null, status: 'paused', deletedAt: now, updatedAt: now };
    await tx.db.updateTable('webhooks').set(erased).where('programId', '=', programId).where('id', '=', id).execute();
    const { description: name, url } = before;
    await recordChange(tx, { programId, actor, action: 'notification_channel.deleted', subjectId: id, before: { name, url } });
    return readChannel(tx, before);
  },
});
