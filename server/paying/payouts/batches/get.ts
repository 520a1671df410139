import { sql } from 'kysely';
import { z } from 'zod';
import { findProviderReferences } from '../../../connections/providers/reference.ts';
import type { Context } from '../../../context.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut } from '../../../platform/http/declaration/fields.ts';
import { expandable } from '../../../platform/http/declaration/lists.ts';
import { PayoutStatus, toPayoutStatus } from '../payout.ts';
import { BatchShape, batchExample, batchSlot, readBatch } from './batch.ts';

const StatusSum = z
  .object({ status: PayoutStatus, payoutCount: countOut, amountCents: centsOut })
  .meta({ id: 'PayoutStatusSum', example: { status: 'paid', payoutCount: 1, amountCents: 12_850 } });

const BatchDetail = BatchShape.extend({
  statuses: z.array(StatusSum).describe('How many payouts of the batch have each status; statuses without payouts are omitted.'),
}).meta({ id: 'PayoutBatchDetail', example: { ...batchExample, statuses: [{ status: 'paid', payoutCount: 1, amountCents: 12_850 }] } });

export const getBatch = endpoint({
  id: 'payoutBatches.get',
  route: 'GET /v1/programs/:programId/payouts/batches/:id',
  scope: 'read',
  tag: 'Payouts',
  summary: 'Get a payout batch',
  description: 'To list the payouts of the batch, use `GET …/payouts?batchId=…`.',
  path: { id: batchSlot },
  query: z.object({ expand: expandable('provider') }),
  statuses: [200],
  result: BatchDetail,
  async handle(ctx, { actor: { programId }, params: { id }, query: { expand } }) {
    const batch = await readBatch(ctx, programId, id);
    const providers = await findProviderReferences(ctx, programId, expand.has('provider') && batch.providerId ? [batch.providerId] : []);
    return { ...batch, provider: providers.get(batch.providerId ?? ''), statuses: await sumStatuses(ctx, programId, id) };
  },
});

async function sumStatuses(ctx: Pick<Context, 'db'>, programId: string, batchId: string) {
  const { rows } = await sql<{ status: string; payoutCount: number; amountCents: number }>`
    select status, count(*)::integer as payout_count, sum(amount_cents)::bigint as amount_cents from payouts
    where program_id = ${programId} and batch_id = ${batchId} group by status order by status`.execute(ctx.db);
  return rows.map((row) => ({ ...row, status: toPayoutStatus(row.status) }));
}
