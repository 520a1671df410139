import { sql } from 'kysely';
import { z } from 'zod';
import { containsWordsUnfolded, searchField } from '../../../accounts/programs/search.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { cursorPage } from '../../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, findPage, oneOf, sortBy, timeRange, withinRange } from '../../../platform/http/declaration/lists.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import { WebhookStatus } from '../webhook.ts';
import { ChannelShape, channelSlot, findChannels, findLastAttempts, readChannel, toChannel } from './channel.ts';

export const listChannels = endpoint({
  id: 'notificationChannels.list',
  route: 'GET /v1/programs/:programId/notification-channels',
  scope: 'read',
  tag: 'Webhooks',
  summary: 'List notification channels',
  query: z.object({
    status: oneOf(WebhookStatus),
    search: searchField('Matches part of the name'),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt'),
  }),
  statuses: [200],
  result: cursorListOf('notificationChannels', ChannelShape, 'NotificationChannelList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { status, search, createdFrom, createdTo, limit, offset } = query;
    let channels = ctx.db.selectFrom('webhooks').where('programId', '=', programId).where('notificationKinds', 'is not', null);
    channels = channels.where('deletedAt', 'is', null);
    if (status) channels = channels.where('status', 'in', status);
    if (search) channels = channels.where(containsWordsUnfolded(sql`description`, search));
    channels = channels.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(channels, query, (found) => found.selectAll());
    const ids = rows.map(({ id }) => id);
    const attempts = await findLastAttempts(ctx, programId, ids);
    return { notificationChannels: rows.map((row) => toChannel(row, attempts.get(row.id))), total, limit, offset, nextCursor };
  },
});

export const getChannel = endpoint({
  id: 'notificationChannels.get',
  route: 'GET /v1/programs/:programId/notification-channels/:id',
  scope: 'read',
  tag: 'Webhooks',
  summary: 'Get a notification channel',
  path: { id: channelSlot },
  statuses: [200],
  result: ChannelShape,
  async handle(ctx, { actor, params }) {
    const channel = await findChannels(ctx, actor.programId).where('id', '=', params.id).executeTakeFirst();
    if (!channel) throw new NotFound();
    return readChannel(ctx, channel);
  },
});
