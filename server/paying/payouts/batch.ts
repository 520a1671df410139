// A batch: one dispatch, in one currency and by one rail. How it stands follows from its payouts, so it can't
// disagree with them.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { centsOut, countOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { openStatuses } from './payout.ts';

export const BatchStatus = z
  .enum(['awaiting_approval', 'processing', 'completed', 'partially_failed', 'failed'])
  .meta({ id: 'PayoutBatchStatus' });
type BatchStatus = z.infer<typeof BatchStatus>;

export const BatchShape = z
  .object({
    id: uuidOut,
    status: BatchStatus,
    providerId: uuidOut.nullable().describe('Null: paid by hand, without a provider.'),
    rail: z.string(),
    currency: z.string(),
    totalCents: centsOut,
    itemCount: countOut,
    paidCents: centsOut,
    asOf: timestampOut,
    note: z.string().nullable(),
    needsApproval: z.boolean().describe('Must be approved with a different API key than the one that dispatched it.'),
    approvedAt: timestampOut.nullable(),
    exportedAt: timestampOut.nullable(),
    createdAt: timestampOut,
  })
  .meta({ id: 'PayoutBatch' });

export const batchSlot = idSlot('payoutBatches', 'The id of the batch.');

/** Batches of a program with the sums of their payouts, for reading. */
export function selectBatches(ctx: Pick<Context, 'db'>, programId: string) {
  const of = (...statuses: string[]) => sql`filter (where item.status in (${sql.join(statuses)}))`;
  return ctx.db
    .selectFrom('payoutBatches as batch')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('payoutItems as item')
          .whereRef('item.programId', '=', 'batch.programId')
          .whereRef('item.batchId', '=', 'batch.id')
          .select([
            sql<number>`count(*) ${of(...openStatuses)}`.as('open'),
            sql<number>`count(*) ${of('paid')}`.as('paid'),
            sql<number>`coalesce(sum(item.amount_cents) ${of('paid')}, 0)::bigint`.as('paidCents'),
          ])
          .as('stand'),
      (join) => join.onTrue(),
    )
    .where('batch.programId', '=', programId)
    .selectAll('batch')
    .select(['stand.open', 'stand.paid', 'stand.paidCents']);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectBatches>['executeTakeFirstOrThrow']>>;

export function toBatch(row: Row): z.input<typeof BatchShape> {
  return {
    ...row,
    status: statusOf(row),
    asOf: row.asOf.toISOString(),
    approvedAt: row.approvedAt?.toISOString() ?? null,
    exportedAt: row.exportedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

function statusOf({ needsApproval, approvedAt, open, paid, itemCount }: Row): BatchStatus {
  if (open > 0) return needsApproval && !approvedAt ? 'awaiting_approval' : 'processing';
  if (paid === itemCount) return 'completed';
  return paid === 0 ? 'failed' : 'partially_failed';
}

export async function readBatch(ctx: Pick<Context, 'db'>, programId: string, id: string) {
  return toBatch(await selectBatches(ctx, programId).where('batch.id', '=', id).executeTakeFirstOrThrow());
}
