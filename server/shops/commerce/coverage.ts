// Whether every order that a shop knows was reported: what is missing here is money that an affiliate may be owed.
import { sql } from 'kysely';
import { z } from 'zod';
import { providerSlot } from '../../connections/providers/provider.ts';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, timestampIn, timestampOut } from '../../platform/http/declaration/fields.ts';
import { Invalid } from '../../platform/lib/errors.ts';

const maxListed = 200;
const usualDays = 28;

const Shape = z
  .object({
    from: timestampOut,
    to: timestampOut,
    knownOrders: countOut.describe('Orders in this period received from the shop.'),
    creditedOrders: countOut,
    unattributedOrders: countOut.describe('Reported, but credited to nobody.'),
    missingOrders: countOut.describe('Known, but neither credited nor kept as unattributed: their events failed.'),
    coveragePercent: z.number().nullable().describe('Share of the known orders that were reported; null without any.'),
    missing: z.array(z.object({ orderId: z.string(), amountCents: centsOut, occurredAt: timestampOut })).describe('The newest 200.'),
  })
  .meta({ id: 'ProviderCoverage' });

export const getCoverage = endpoint({
  id: 'providers.coverage',
  route: 'GET /v1/programs/:programId/providers/:id/coverage',
  scope: 'read',
  tag: 'Providers',
  summary: 'Compare the orders of a shop with those reported',
  path: { id: providerSlot },
  query: z.object({
    from: timestampIn.optional().describe('Default: 28 days before `to`.'),
    to: timestampIn.optional().describe('Default: now.'),
  }),
  statuses: [200],
  result: Shape,
  async handle(ctx, { actor: { programId }, params, query }) {
    const to = query.to ?? ctx.clock.now();
    const from = query.from ?? new Date(to.getTime() - usualDays * 86_400_000);
    if (from >= to) throw new Invalid([{ path: ['from'], message: 'must be before `to`' }]);
    const span = { programId, providerId: params.id, from, to };
    const { known, credited, unattributed } = await count(ctx, span);
    const reported = credited + unattributed;
    return {
      ...{ from: from.toISOString(), to: to.toISOString(), knownOrders: known, creditedOrders: credited, unattributedOrders: unattributed },
      missingOrders: known - reported,
      coveragePercent: known === 0 ? null : Math.floor((reported * 1000) / known) / 10,
      missing: known === reported ? [] : await listMissing(ctx, span),
    };
  },
});

type Span = { programId: string; providerId: string; from: Date; to: Date };
type Counts = { known: number; credited: number; unattributed: number };

const ofSpan = ({ programId, providerId, from, to }: Span) => sql`
  from provider_orders as known
  left join conversions as conversion on conversion.program_id = known.program_id and conversion.order_id = known.order_id
  left join unattributed_orders as shadow on shadow.program_id = known.program_id and shadow.order_id = known.order_id
  where known.program_id = ${programId} and known.provider_id = ${providerId} and known.amount_cents is not null
    and known.occurred_at >= ${from} and known.occurred_at < ${to}`;

async function count(ctx: Pick<Context, 'db'>, span: Span): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select count(*) as known, count(conversion.id) as credited,
      count(*) filter (where conversion.id is null and shadow.order_id is not null) as unattributed ${ofSpan(span)}`.execute(ctx.db);
  return rows[0] ?? { known: 0, credited: 0, unattributed: 0 };
}

async function listMissing(ctx: Pick<Context, 'db'>, span: Span): Promise<z.input<typeof Shape>['missing']> {
  const { rows } = await sql<{ orderId: string; amountCents: number; occurredAt: Date }>`
    select known.order_id, known.amount_cents, known.occurred_at ${ofSpan(span)} and conversion.id is null and shadow.order_id is null
    order by known.occurred_at desc, known.order_id limit ${maxListed}`.execute(ctx.db);
  return rows.map((row) => ({ ...row, occurredAt: row.occurredAt.toISOString() }));
}
