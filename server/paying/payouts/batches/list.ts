import { z } from 'zod';
import { findProviderReferences } from '../../../connections/providers/reference.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { uuid } from '../../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../../platform/http/declaration/list-cursor.ts';
import {
  amountRange,
  cursorListOf,
  expandable,
  findPage,
  oneOf,
  sortBy,
  timeRange,
  withinAmounts,
  withinRange,
} from '../../../platform/http/declaration/lists.ts';
import { BatchShape, BatchStatus, selectBatches, toBatch } from './batch.ts';

export const listBatches = endpoint({
  id: 'payoutBatches.list',
  route: 'GET /v1/programs/:programId/payouts/batches',
  scope: 'read',
  tag: 'Payouts',
  summary: 'List payout batches',
  query: z.object({
    status: oneOf(BatchStatus),
    providerId: uuid.optional(),
    ...timeRange('created'),
    ...amountRange,
    ...cursorPage,
    sort: sortBy('createdAt', 'totalCents'),
    expand: expandable('provider'),
  }),
  statuses: [200],
  result: cursorListOf('batches', BatchShape, 'PayoutBatchList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { status, providerId, createdFrom, createdTo, limit, offset, expand } = query;
    let batches = ctx.db.selectFrom(selectBatches(ctx, programId).as('batch'));
    if (status) batches = batches.where('batch.status', 'in', status);
    if (providerId) batches = batches.where('batch.providerId', '=', providerId);
    batches = batches.where(withinRange('createdAt', createdFrom, createdTo));
    batches = batches.where(withinAmounts('totalCents', query));
    const { rows, total, nextCursor } = await findPage(batches, query, (found) => found.selectAll());
    const providerIds = expand.has('provider') ? rows.flatMap((row) => row.providerId ?? []) : [];
    const providers = await findProviderReferences(ctx, programId, providerIds);
    const shown = rows.map((row) => ({ ...toBatch(row), provider: providers.get(row.providerId ?? '') }));
    return { batches: shown, total, limit, offset, nextCursor };
  },
});
