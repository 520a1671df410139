import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, page } from '../../platform/http/declaration/fields.ts';
import { BatchShape, batchSlot, readBatch, selectBatches, toBatch } from './batch.ts';
import { PayoutShape, toPayout } from './payout.ts';

export const listBatches = endpoint({
  id: 'payouts.listBatches',
  route: 'GET /v1/programs/:programId/payouts/batches',
  scope: 'read',
  tag: 'Payouts',
  summary: 'List batches',
  description: 'Newest first.',
  query: z.object(page),
  statuses: [200],
  result: z.object({ batches: z.array(BatchShape), total: countOut, limit: countOut, offset: countOut }).meta({ id: 'PayoutBatchList' }),
  async handle(ctx, { actor: { programId }, query: { limit, offset } }) {
    const all = ctx.db.selectFrom('payoutBatches').where('programId', '=', programId);
    const { total } = await all.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const newest = selectBatches(ctx, programId).orderBy('batch.createdAt', 'desc').orderBy('batch.id', 'desc');
    return { batches: (await newest.limit(limit).offset(offset).execute()).map(toBatch), total, limit, offset };
  },
});

export const getBatch = endpoint({
  id: 'payouts.getBatch',
  route: 'GET /v1/programs/:programId/payouts/batches/:id',
  scope: 'read',
  tag: 'Payouts',
  summary: 'Get a batch and its payouts',
  description: 'The payouts come in pages, in the order of their affiliates’ ids.',
  path: { id: batchSlot },
  query: z.object(page),
  statuses: [200],
  result: z
    .object({ batch: BatchShape, payouts: z.array(PayoutShape), total: countOut, limit: countOut, offset: countOut })
    .meta({ id: 'PayoutBatchDetail' }),
  async handle(ctx, { actor: { programId }, params: { id }, query: { limit, offset } }) {
    const batch = await readBatch(ctx, programId, id);
    const items = ctx.db.selectFrom('payoutItems').selectAll().where('programId', '=', programId).where('batchId', '=', id);
    const rows = await items.orderBy('affiliateId').limit(limit).offset(offset).execute();
    return { batch, payouts: rows.map(toPayout), total: batch.itemCount, limit, offset };
  },
});
