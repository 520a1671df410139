// Whether payouts are locked, and when each provider's records were last compared with ours.
import { sql } from 'kysely';
import { z } from 'zod';
import { getProgram } from '../../../accounts/programs/program.ts';
import { ProviderReference } from '../../../connections/providers/reference.ts';
import { automaticRails, getRailType } from '../../../connections/rails/index.ts';
import type { Context } from '../../../context.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, timestampOut } from '../../../platform/http/declaration/fields.ts';
import { findStoredLock, LockReason } from '../lock.ts';
import { countOpenDiscrepancies } from './discrepancy.ts';

const ReconciledProvider = z.object({
  provider: ProviderReference,
  comparedAt: timestampOut.nullable().describe("When the provider's records were last compared completely."),
  listDelayHours: countOut.describe('How long a payment can take to appear in the records of the provider.'),
  paidCount: countOut.describe('The number of payouts that were paid through this provider.'),
  paidCents: centsOut.describe('The amount of those payouts.'),
  openCount: countOut.describe('The number of payouts without a final outcome.'),
  openCents: centsOut.describe('The amount of those payouts.'),
  openDiscrepancies: countOut,
});

const Reconciliation = z
  .object({
    currency: currencyOut,
    lockReason: LockReason.nullable().describe('Why payouts are locked; null if they are not.'),
    lockedAt: timestampOut.nullable().describe('Since when payouts are locked.'),
    reconciledAt: timestampOut.nullable().describe('When payouts were last unlocked by a comparison.'),
    openDiscrepancies: countOut,
    providers: z.array(ReconciledProvider).describe('The providers that send payouts themselves.'),
  })
  .meta({
    id: 'PayoutReconciliationState',
    example: {
      currency: 'USD',
      lockReason: null,
      lockedAt: null,
      reconciledAt: '2026-11-02T09:30:00.000Z',
      openDiscrepancies: 0,
      providers: [
        {
          provider: { id: '01980a70-5e6f-7a8b-9c0d-1e2f3a4b5c6d', type: 'paypal', name: 'PayPal' },
          comparedAt: '2026-11-02T09:30:00.000Z',
          listDelayHours: 48,
          paidCount: 83,
          paidCents: 741_220,
          openCount: 1,
          openCents: 12_850,
          openDiscrepancies: 0,
        },
      ],
    },
  });

export const getReconciliation = endpoint({
  id: 'payouts.reconciliation',
  route: 'GET /v1/programs/:programId/payouts/reconciliation',
  scope: 'read',
  tag: 'Payouts',
  summary: 'Get the state of the reconciliation',
  description:
    "Whether payouts are locked, and what each provider's records were compared with. `POST …/payouts/reconcile` compares them now.",
  statuses: [200],
  result: Reconciliation,
  async handle(ctx, { actor: { programId } }) {
    const { currency } = await getProgram(ctx, programId);
    const { lockReason, lockedAt, reconciledAt } = await findStoredLock(ctx, programId);
    return {
      currency,
      lockReason,
      lockedAt: lockedAt?.toISOString() ?? null,
      reconciledAt: reconciledAt?.toISOString() ?? null,
      openDiscrepancies: await countOpenDiscrepancies(ctx, programId),
      providers: await readProviders(ctx, programId),
    };
  },
});

type Row = {
  id: string;
  type: string;
  name: string;
  reconciledAt: Date | null;
  paidCount: number;
  paidCents: number;
  openCount: number;
  openCents: number;
  openDiscrepancies: number;
};

async function readProviders(ctx: Pick<Context, 'db'>, programId: string): Promise<z.input<typeof ReconciledProvider>[]> {
  const { rows } = await sql<Row>`
    select provider.id, provider.type, provider.name, provider.reconciled_at,
      count(payout.id) filter (where payout.status = 'paid')::integer as paid_count,
      coalesce(sum(payout.amount_cents) filter (where payout.status = 'paid'), 0)::bigint as paid_cents,
      count(payout.id) filter (where payout.status in ('queued', 'sending', 'sent', 'unknown'))::integer as open_count,
      coalesce(sum(payout.amount_cents) filter (where payout.status in ('queued', 'sending', 'sent', 'unknown')), 0)::bigint as open_cents,
      (select count(*)::integer from payout_discrepancies as found where found.program_id = ${programId}
        and found.provider_id = provider.id and found.resolved_at is null) as open_discrepancies
    from providers as provider
    left join payout_batches as batch on batch.program_id = ${programId} and batch.provider_id = provider.id
    left join payouts as payout on payout.program_id = ${programId} and payout.batch_id = batch.id
    where provider.program_id = ${programId} and provider.kind = 'payout' and provider.type = any(${[...automaticRails]})
    group by provider.program_id, provider.id, provider.type, provider.name, provider.reconciled_at, provider.status
    having provider.status <> 'archived' or count(payout.id) > 0
    order by provider.name, provider.id`.execute(ctx.db);
  return rows.map(({ id, type, name, reconciledAt, ...sums }) => ({
    provider: { id, type, name },
    comparedAt: reconciledAt?.toISOString() ?? null,
    listDelayHours: getRailType(type).listDelayHours,
    ...sums,
  }));
}
