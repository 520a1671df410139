// A payout batch: one dispatch, in one currency, through one provider. Its status follows from its payouts, so the two
// can't contradict each other.
import { sql } from 'kysely';
import { z } from 'zod';
import { ProviderReference } from '../../../connections/providers/reference.ts';
import type { Context } from '../../../context.ts';
import { ActorShape, actorExample } from '../../../platform/http/declaration/actor-shape.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { idSlot } from '../../../platform/http/declaration/id-slot.ts';
import { openStatuses } from '../payout.ts';

export const BatchStatus = z
  .enum(['awaiting_approval', 'processing', 'completed', 'partially_failed', 'failed'])
  .meta({ id: 'PayoutBatchStatus' });

export const batchExample = {
  id: '01980a7c-2f90-7a13-9b2c-4d5e6f708192',
  status: 'completed',
  providerId: '01980a70-5e6f-7a8b-9c0d-1e2f3a4b5c6d',
  providerType: 'external_webhook',
  currency: 'USD',
  totalCents: 12_850,
  payoutCount: 1,
  paidCents: 12_850,
  cutoffAt: '2026-11-02T09:30:00.000Z',
  note: 'October',
  dispatchedBy: actorExample,
  needsApproval: false,
  approvedBy: null,
  approvedAt: null,
  exportedAt: null,
  createdAt: '2026-11-02T09:30:00.000Z',
};

export const BatchShape = z
  .object({
    id: uuidOut,
    status: BatchStatus,
    providerId: uuidOut.nullable().describe('Null if the batch is paid manually, without a provider.'),
    providerType: z.string().describe('The type of the payout provider, such as `paypal`; `manual` without one.'),
    currency: currencyOut,
    totalCents: centsOut,
    payoutCount: countOut,
    paidCents: centsOut.describe('The part of the total that has been paid.'),
    cutoffAt: timestampOut.describe('Only commissions that had matured by this time are included.'),
    note: z.string().nullable(),
    dispatchedBy: ActorShape,
    needsApproval: z.boolean().describe('Whether the batch must be approved by another person than the one who dispatched it.'),
    approvedBy: ActorShape.nullable(),
    approvedAt: timestampOut.nullable(),
    exportedAt: timestampOut.nullable().describe('When a payment file was last created.'),
    createdAt: timestampOut,
    provider: ProviderReference.optional().describe('Included with `?expand=provider`.'),
  })
  .meta({ id: 'PayoutBatch', example: batchExample });

export const batchSlot = idSlot('payoutBatches', 'The id of the batch.');

/** The batches of a program with their status and what was paid. */
export function selectBatches(ctx: Pick<Context, 'db'>, programId: string) {
  const countOf = (...statuses: string[]) => sql<number>`count(*) filter (where payout.status in (${sql.join(statuses)}))`;
  return ctx.db
    .selectFrom('payoutBatches as batch')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('payouts as payout')
          .where('payout.programId', '=', programId)
          .whereRef('payout.batchId', '=', 'batch.id')
          .select([
            countOf(...openStatuses).as('open'),
            countOf('paid').as('paid'),
            sql<number>`coalesce(sum(payout.amount_cents) filter (where payout.status = 'paid'), 0)::bigint`.as('paidCents'),
          ])
          .as('sums'),
      (join) => join.onTrue(),
    )
    .where('batch.programId', '=', programId)
    .selectAll('batch')
    .select('sums.paidCents')
    .select(
      sql<string>`case
        when sums.open > 0 and needs_approval and approved_at is null then 'awaiting_approval'
        when sums.open > 0 then 'processing'
        when sums.paid = payout_count then 'completed'
        when sums.paid = 0 then 'failed'
        else 'partially_failed' end`.as('status'),
    );
}

type Row = Awaited<ReturnType<ReturnType<typeof selectBatches>['executeTakeFirstOrThrow']>>;

export function toBatch(row: Row): z.input<typeof BatchShape> {
  return {
    ...row,
    status: BatchStatus.parse(row.status),
    cutoffAt: row.cutoffAt.toISOString(),
    dispatchedBy: ActorShape.parse({ kind: row.dispatchedByKind, id: row.dispatchedById }),
    approvedBy: row.approvedById === null ? null : ActorShape.parse({ kind: row.approvedByKind, id: row.approvedById }),
    approvedAt: row.approvedAt?.toISOString() ?? null,
    exportedAt: row.exportedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

export async function readBatch(ctx: Pick<Context, 'db'>, programId: string, id: string) {
  return toBatch(await selectBatches(ctx, programId).where('batch.id', '=', id).executeTakeFirstOrThrow());
}

type Reference = { id: string; note: string | null; providerType: string; createdAt: string };

/** References to batches by id, for `?expand=batch`; no query where nothing is expanded. */
export async function findBatchReferences(
  ctx: Pick<Context, 'db'>,
  programId: string,
  ids: readonly string[],
): Promise<Map<string, Reference>> {
  if (ids.length === 0) return new Map();
  const batches = ctx.db.selectFrom('payoutBatches').select(['id', 'note', 'providerType', 'createdAt']);
  const rows = await batches.where('programId', '=', programId).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, { ...row, createdAt: row.createdAt.toISOString() }]));
}
