// Comparing the orders that a store sent with those that were recorded: a missing order is money that an affiliate may
// be owed.
import { sql } from 'kysely';
import { z } from 'zod';
import { providerSlot } from '../../connections/providers/provider.ts';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, timestampIn, timestampOut } from '../../platform/http/declaration/fields.ts';
import { Invalid } from '../../platform/lib/errors.ts';

const maxListed = 200;
const defaultDays = 28;

const Coverage = z
  .object({
    occurredFrom: timestampOut,
    occurredTo: timestampOut,
    currency: currencyOut,
    knownOrders: countOut.describe('Orders in this period received from the store.'),
    creditedOrders: countOut,
    unattributedOrders: countOut.describe('Recorded, but not credited to an affiliate.'),
    missingOrders: countOut.describe('Received, but not recorded, because their events failed or wait for an exchange rate.'),
    coveragePercent: z.number().nullable().describe('The percentage of known orders that were recorded; null if there are none.'),
    missing: z
      .array(z.object({ orderId: z.string(), amountCents: centsOut, currency: currencyOut, occurredAt: timestampOut }))
      .describe(`The ${maxListed} newest missing orders.`),
  })
  .meta({
    id: 'ProviderCoverage',
    example: {
      occurredFrom: '2026-10-24T10:00:00.000Z',
      occurredTo: '2026-11-21T10:00:00.000Z',
      currency: 'USD',
      knownOrders: 250,
      creditedOrders: 61,
      unattributedOrders: 188,
      missingOrders: 1,
      coveragePercent: 99.6,
      missing: [{ orderId: 'FF-10044', amountCents: 3200, currency: 'USD', occurredAt: '2026-11-19T14:30:00.000Z' }],
    },
  });

export const getCoverage = endpoint({
  id: 'providers.coverage',
  route: 'GET /v1/programs/:programId/providers/:id/coverage',
  scope: 'read',
  tag: 'Providers',
  summary: "Compare a store's orders with recorded conversions",
  path: { id: providerSlot },
  query: z.object({
    occurredFrom: timestampIn.optional().describe('Only orders at or after this time. Default: 28 days before `occurredTo`.'),
    occurredTo: timestampIn.optional().describe('Only orders before this time. Default: now.'),
  }),
  statuses: [200],
  result: Coverage,
  async handle(ctx, { actor: { programId, currency }, params, query }) {
    const to = query.occurredTo ?? ctx.clock.now();
    const from = query.occurredFrom ?? new Date(to.getTime() - defaultDays * 86_400_000);
    if (from >= to) throw new Invalid([{ path: ['occurredFrom'], message: 'must be before `occurredTo`' }]);
    const period = { programId, providerId: params.id, from, to };
    const { known, credited, unattributed } = await countOrders(ctx, period);
    const recorded = credited + unattributed;
    return {
      occurredFrom: from.toISOString(),
      occurredTo: to.toISOString(),
      currency,
      knownOrders: known,
      creditedOrders: credited,
      unattributedOrders: unattributed,
      missingOrders: known - recorded,
      coveragePercent: known === 0 ? null : Math.floor((recorded * 1000) / known) / 10,
      missing: known === recorded ? [] : await listMissing(ctx, period, currency),
    };
  },
});

type Period = { programId: string; providerId: string; from: Date; to: Date };
type Counts = { known: number; credited: number; unattributed: number };

const fromOrders = ({ programId, providerId, from, to }: Period) => sql`
  from provider_orders as known
  left join conversions as conversion on conversion.program_id = ${programId} and conversion.order_id = known.order_id
  left join unattributed_orders as unattributed on unattributed.program_id = ${programId} and unattributed.order_id = known.order_id
  where known.program_id = ${programId} and known.provider_id = ${providerId} and known.amount_cents is not null
    and known.occurred_at >= ${from} and known.occurred_at < ${to}`;

async function countOrders(ctx: Pick<Context, 'db'>, period: Period): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select count(*) as known, count(conversion.id) as credited,
      count(*) filter (where conversion.id is null and unattributed.order_id is not null) as unattributed
    ${fromOrders(period)}`.execute(ctx.db);
  return rows[0] ?? { known: 0, credited: 0, unattributed: 0 };
}

/** `ofProgram`: the currency of orders that name none. */
async function listMissing(ctx: Pick<Context, 'db'>, period: Period, ofProgram: string): Promise<z.input<typeof Coverage>['missing']> {
  const { rows } = await sql<{ orderId: string; amountCents: number; currency: string | null; occurredAt: Date }>`
    select known.order_id, known.amount_cents, known.facts ->> 'currency' as currency, known.occurred_at
    ${fromOrders(period)} and conversion.id is null and unattributed.order_id is null
    order by known.occurred_at desc, known.order_id limit ${maxListed}`.execute(ctx.db);
  return rows.map((row) => ({ ...row, currency: row.currency ?? ofProgram, occurredAt: row.occurredAt.toISOString() }));
}
