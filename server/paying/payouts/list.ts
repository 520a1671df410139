import { z } from 'zod';
import { findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { line, uuid } from '../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, expandable, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { findBatchReferences } from './batches/batch.ts';
import { PayoutShape, PayoutStatus, toPayout, toStoredStatuses } from './payout.ts';

export const listPayouts = endpoint({
  id: 'payouts.list',
  route: 'GET /v1/programs/:programId/payouts',
  scope: 'read',
  tag: 'Payouts',
  summary: 'List payouts',
  query: z.object({
    status: oneOf(PayoutStatus),
    affiliateId: uuid.optional(),
    batchId: uuid.optional(),
    reference: line(200).optional().describe("The provider's reference for the payment (exact match)."),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt', 'amountCents'),
    expand: expandable('affiliate', 'batch'),
  }),
  statuses: [200],
  result: cursorListOf('payouts', PayoutShape, 'PayoutList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { status, affiliateId, batchId, reference, createdFrom, createdTo, limit, offset, expand } = query;
    let payouts = ctx.db.selectFrom('payouts').where('programId', '=', programId);
    if (status) payouts = payouts.where('status', 'in', toStoredStatuses(status));
    if (affiliateId) payouts = payouts.where('affiliateId', '=', affiliateId);
    if (batchId) payouts = payouts.where('batchId', '=', batchId);
    if (reference) payouts = payouts.where('providerReference', '=', reference);
    payouts = payouts.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(payouts, query, (found) => found.selectAll());
    const affiliateIds = expand.has('affiliate') ? rows.map((row) => row.affiliateId) : [];
    const batchIds = expand.has('batch') ? rows.map((row) => row.batchId) : [];
    const affiliates = await findAffiliateReferences(ctx, programId, affiliateIds);
    const batches = await findBatchReferences(ctx, programId, batchIds);
    const shown = rows.map((row) => ({
      ...toPayout(row),
      affiliate: affiliates.get(row.affiliateId),
      batch: batches.get(row.batchId),
    }));
    return { payouts: shown, total, limit, offset, nextCursor };
  },
});
