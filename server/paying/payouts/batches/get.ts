import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { BatchShape, batchSlot, readBatch } from './batch.ts';

export const getBatch = endpoint({
  id: 'payoutBatches.get',
  route: 'GET /v1/programs/:programId/payouts/batches/:id',
  scope: 'read',
  tag: 'Payouts',
  summary: 'Get a payout batch',
  description: 'To list the payouts of the batch, use `GET …/payouts?batchId=…`.',
  path: { id: batchSlot },
  statuses: [200],
  result: BatchShape,
  handle: (ctx, { actor, params }) => readBatch(ctx, actor.programId, params.id),
});
