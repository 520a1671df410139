// Creating a notification channel. It receives what happens from then on.
import { z } from 'zod';
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { numberToEnd } from '../../events/number.ts';
import { requirePublicUrl } from '../create.ts';
import { ChannelShape, channelFields, findChannels, toChannel } from './channel.ts';
import { encryptAddress, maskAddress } from './encrypted-address.ts';

/** Per program. */
const maxChannels = 10;

export const createChannel = endpoint({
  id: 'notificationChannels.create',
  route: 'POST /v1/programs/:programId/notification-channels',
  scope: 'write',
  requires: 'webhooks.write',
  isSensitive: true,
  tag: 'Webhooks',
  summary: 'Create a notification channel',
  description:
    'Posts a message `{ "text": … }` for each event of these kinds, with a link to the console. Messages contain what the emails of ' +
    'these notifications do. A message succeeds with any 2xx status within 12 seconds. Others are retried with growing pauses, ten ' +
    'times in about three days, so a message can arrive twice.',
  body: z.object({ ...channelFields, locale: channelFields.locale.default('en').describe('The language of the messages.') }).meta({
    id: 'NewNotificationChannel',
    example: {
      name: '#affiliates',
      url: 'https://hooks.slack.com/services/EXAMPLE/ADDRESS',
      kinds: ['application', 'payout_approval'],
      locale: 'en',
    },
  }),
  statuses: [201],
  result: ChannelShape,
  errors: [
    {
      status: 400,
      code: 'too_many_notification_channels',
      when: `The program has ${maxChannels} notification channels. Delete one first.`,
    },
  ],
  async prepare(ctx, body) {
    await requirePublicUrl(ctx, body.url);
    return body;
  },
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    await requireRoom(tx, programId);
    const [id, now] = [tx.ids.uuid(), tx.clock.now()];
    const channel = await tx.db
      .insertInto('webhooks')
      .values({
        programId,
        id,
        url: maskAddress(body.url),
        address: encryptAddress(tx, id, body.url),
        description: body.name,
        eventTypes: [],
        notificationKinds: body.kinds,
        locale: body.locale,
        status: 'active',
        readPosition: await numberToEnd(tx, programId),
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const after = { name: body.name, url: channel.url, kinds: body.kinds, locale: body.locale };
    await recordChange(tx, { programId, actor, action: 'notification_channel.created', subjectId: id, after });
    return toChannel(channel, undefined);
  },
});

/** Locks the program, so that simultaneous requests can't exceed the limit. */
async function requireRoom(tx: Tx, programId: string): Promise<void> {
  await getProgram(tx, programId, { lock: true });
  const present = await findChannels(tx, programId).execute();
  if (present.length >= maxChannels)
    throw new InvalidState('too_many_notification_channels', `This program has ${maxChannels} notification channels. Delete one first.`);
}
