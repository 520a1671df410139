// A notification channel: an incoming webhook of Slack or a compatible chat that notifications are posted to. It is a row of
// `webhooks` with kinds of notifications, and is sent by the same engine.
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../../context.ts';
import type { Webhooks } from '../../../platform/db/schema.gen.ts';
import type { Slot } from '../../../platform/http/declaration/endpoint.ts';
import {
  countOut,
  createdAtOut,
  line,
  logged,
  timestampOut,
  updatedAtOut,
  uuid,
  uuidOut,
} from '../../../platform/http/declaration/fields.ts';
import { InvalidState, NotFound } from '../../../platform/lib/errors.ts';
import { locales } from '../../emails/look/look.ts';
import { NotificationKind } from '../../notifications/kinds.ts';
import { AttemptOutcome } from '../deliveries/delivery.ts';
import { WebhookStatus, webhookFields } from '../webhook.ts';

export const channelExample = {
  id: '01980c11-5d2f-7a44-9e0b-3c6f1a2b7d87',
  name: '#affiliates',
  url: 'https://hooks.slack.com/…x7Kq',
  kinds: ['application' as const, 'payout_approval' as const],
  locale: 'en' as const,
  status: 'active' as const,
  disabledReason: null,
  lastAttempt: { outcome: 'succeeded' as const, responseStatus: 200, createdAt: '2026-11-20T09:00:01.000Z' },
  failingSinceAt: null,
  lastSucceededAt: '2026-11-20T09:00:01.000Z',
  lastFailedAt: null,
  createdAt: '2026-11-02T09:30:00.000Z',
  updatedAt: '2026-11-02T09:30:00.000Z',
};

const LastAttempt = z
  .object({
    outcome: AttemptOutcome.describe('What became of the attempt, such as `succeeded`, `rejected` or `timeout`.'),
    responseStatus: countOut.nullable().describe('The HTTP status of the response; null without one.'),
    createdAt: timestampOut.describe('When the message was sent.'),
  })
  .meta({ id: 'NotificationChannelAttempt' });

export const ChannelShape = z
  .object({
    id: uuidOut,
    name: z.string().describe('What the channel is called in the console.'),
    url: z.string().describe('The host of the URL, and its end. The URL is a credential, and is not returned.'),
    kinds: z.array(NotificationKind).describe('What is posted.'),
    locale: z.enum(locales).describe('The language of the messages.'),
    status: WebhookStatus.describe(
      '`paused` by a request; `disabled` for `disabledReason`. What happens in the meantime is not posted later.',
    ),
    disabledReason: z
      .enum(['gone', 'failing'])
      .nullable()
      .describe('`gone`: the address answered 410. `failing`: no message was accepted for three days.'),
    lastAttempt: LastAttempt.nullable().describe('The last attempt to post the newest message; null before the first.'),
    failingSinceAt: timestampOut.nullable().describe('Since when every attempt has failed; null if the last one succeeded.'),
    lastSucceededAt: timestampOut.nullable(),
    lastFailedAt: timestampOut.nullable(),
    createdAt: createdAtOut,
    updatedAt: updatedAtOut,
  })
  .meta({ id: 'NotificationChannel', example: channelExample });

export const channelFields = {
  name: logged(line(100)).describe('What the channel is called in the console, such as `#affiliates`.'),
  url: webhookFields.url.describe(
    'The URL of an incoming webhook of Slack, Mattermost, Rocket.Chat or a compatible chat; of Discord, with `/slack` at its end.',
  ),
  kinds: z
    .array(NotificationKind)
    .min(1, 'must not be empty')
    .max(NotificationKind.options.length, 'must not have more entries than there are kinds')
    .transform((kinds) => [...new Set(kinds)])
    .describe('What is posted.'),
  locale: z.enum(locales).describe('The language of the messages.'),
};

export type Channel = Selectable<Webhooks>;

export const channelSlot: Slot = {
  schema: uuid,
  meaning: 'The id of the notification channel.',
  example: channelExample.id,
  exists: async (ctx, programId, id) => (await findChannels(ctx, programId).where('id', '=', id).executeTakeFirst()) !== undefined,
};

export const channelNotActive = {
  status: 400,
  code: 'notification_channel_not_active',
  when: 'The notification channel is paused or disabled. Set its `status` to `active` first.',
} as const;

/** The channels of a program that are not deleted. */
export function findChannels({ db }: Pick<Context, 'db'>, programId: string) {
  const channels = db.selectFrom('webhooks').selectAll().where('programId', '=', programId).where('notificationKinds', 'is not', null);
  return channels.where('deletedAt', 'is', null);
}

/** A channel, locked against other changes. Throws NotFound. */
export async function lockChannel(tx: Tx, programId: string, id: string): Promise<Channel> {
  const found = await findChannels(tx, programId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (!found) throw new NotFound();
  return found;
}

/** Throws InvalidState unless messages are posted. */
export function requireActiveChannel({ status }: Pick<Channel, 'status'>): void {
  if (status !== 'active')
    throw new InvalidState(channelNotActive.code, `This notification channel is ${status}. Set its \`status\` to \`active\` first.`);
}

type LastAttempt = z.input<typeof LastAttempt>;

/** The last attempt to post the newest message of each channel. */
export async function findLastAttempts(
  ctx: Pick<Context, 'db'>,
  programId: string,
  ids: readonly string[],
): Promise<Map<string, LastAttempt>> {
  const { rows } = await sql<{ id: string; outcome: string; responseStatus: number | null; createdAt: Date }>`
    select webhook.id, last.* from unnest(${ids}::uuid[]) as webhook (id), lateral (
      select attempt.outcome, attempt.response_status, attempt.created_at from webhook_deliveries as delivery
      join webhook_attempts as attempt on attempt.program_id = ${programId} and attempt.delivery_id = delivery.id
      where delivery.program_id = ${programId} and delivery.webhook_id = webhook.id
      order by delivery.created_at desc, delivery.id desc, attempt.number desc limit 1
    ) as last`.execute(ctx.db);
  return new Map(
    rows.map(({ id, outcome, responseStatus, createdAt }) => [
      id,
      { outcome: AttemptOutcome.parse(outcome), responseStatus, createdAt: createdAt.toISOString() },
    ]),
  );
}

/** A channel as the API returns it. */
export async function readChannel(ctx: Pick<Context, 'db'>, channel: Channel): Promise<z.input<typeof ChannelShape>> {
  return toChannel(channel, (await findLastAttempts(ctx, channel.programId, [channel.id])).get(channel.id));
}

export function toChannel(channel: Channel, lastAttempt: LastAttempt | undefined): z.input<typeof ChannelShape> {
  const { id, description, url, notificationKinds, locale } = channel;
  return {
    id,
    name: description ?? '',
    url,
    kinds: z.array(NotificationKind).parse(notificationKinds),
    locale: channelFields.locale.parse(locale),
    status: WebhookStatus.parse(channel.status),
    disabledReason: ChannelShape.shape.disabledReason.parse(channel.disabledReason),
    lastAttempt: lastAttempt ?? null,
    failingSinceAt: channel.failingSince?.toISOString() ?? null,
    lastSucceededAt: channel.lastSucceededAt?.toISOString() ?? null,
    lastFailedAt: channel.lastFailedAt?.toISOString() ?? null,
    createdAt: channel.createdAt.toISOString(),
    updatedAt: channel.updatedAt.toISOString(),
  };
}
