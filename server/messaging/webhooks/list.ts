import { sql } from 'kysely';
import { z } from 'zod';
import { containsWordsUnfolded, searchField } from '../../accounts/programs/search.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { systemTime } from '../../platform/lib/clock.ts';
import { getWebhook, toWebhook, WebhookShape, WebhookStatus, webhookSlot } from './webhook.ts';

export const listWebhooks = endpoint({
  id: 'webhooks.list',
  route: 'GET /v1/programs/:programId/webhooks',
  scope: 'read',
  tag: 'Webhooks',
  summary: 'List webhooks',
  query: z.object({
    status: oneOf(WebhookStatus),
    search: searchField('Matches part of the URL or description'),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt', 'url'),
  }),
  statuses: [200],
  result: cursorListOf('webhooks', WebhookShape, 'WebhookList'),
  async handle(ctx, { actor, query }) {
    const { status, search, createdFrom, createdTo, limit, offset } = query;
    let webhooks = ctx.db.selectFrom('webhooks').where('programId', '=', actor.programId).where('affiliateId', 'is', null);
    webhooks = webhooks.where('notificationKinds', 'is', null).where('deletedAt', 'is', null);
    if (status) webhooks = webhooks.where('status', 'in', status);
    if (search) webhooks = webhooks.where(containsWordsUnfolded(sql`(url || ' ' || coalesce(description, ''))`, search));
    webhooks = webhooks.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(webhooks, query, (found) => found.selectAll());
    return { webhooks: rows.map((row) => toWebhook(row, systemTime(ctx))), total, limit, offset, nextCursor };
  },
});

export const readWebhook = endpoint({
  id: 'webhooks.get',
  route: 'GET /v1/programs/:programId/webhooks/:id',
  scope: 'read',
  tag: 'Webhooks',
  summary: 'Get a webhook',
  path: { id: webhookSlot },
  statuses: [200],
  result: WebhookShape,
  async handle(ctx, { actor, params }) {
    return toWebhook(await getWebhook(ctx, actor.programId, params.id), systemTime(ctx));
  },
});
