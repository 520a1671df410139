// A test message, to one channel only. Like the test of a webhook, it is an event of the log.
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { recordTestEvent } from '../deliveries/test-event.ts';
import { ChannelShape, channelNotActive, channelSlot, lockChannel, readChannel, requireActiveChannel } from './channel.ts';

export const testChannel = endpoint({
  id: 'notificationChannels.test',
  route: 'POST /v1/programs/:programId/notification-channels/:id/test',
  scope: 'write',
  requires: 'webhooks.write',
  tag: 'Webhooks',
  summary: 'Send a test message',
  description: 'Read the channel again for the outcome, in `lastAttempt`; the message usually arrives within a second.',
  path: { id: channelSlot },
  statuses: [201],
  result: ChannelShape,
  errors: [channelNotActive],
  async handle(tx, { actor, params: { id } }) {
    const { programId } = actor;
    const channel = await lockChannel(tx, programId, id);
    requireActiveChannel(channel);
    await recordTestEvent(tx, { programId, actor }, { webhookId: id });
    await recordChange(tx, { programId, actor, action: 'notification_channel.tested', subjectId: id });
    return readChannel(tx, channel);
  },
});
