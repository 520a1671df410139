// From clicks to paid orders: how many orders a period had, how many were kept, and how many have been paid for.
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context } from '../../context.ts';
import { sumOrders } from '../../earning/orders/totals.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, dayOut } from '../../platform/http/declaration/fields.ts';
import { addDays, localDate, startOfDay } from '../../platform/lib/zoned-time.ts';
import { periodQuery, readSpan } from '../overview/period.ts';
import { readSums } from './read-breakdown.ts';
import { readOnce } from './stored-totals.ts';

const keptStatuses = ['pending', 'held', 'approved', 'paid'] as const;

const Step = z
  .object({
    conversions: countOut.describe('The number of orders.'),
    salesCents: centsOut.describe('The amounts of the orders; in `kept` and `paid` less refunds.'),
    commissionsCents: centsOut.describe('Their commissions; in `kept` and `paid` less reversals.'),
  })
  .meta({ id: 'FunnelStep' });

const Funnel = z
  .object({
    currency: currencyOut,
    timezone: z.string().describe('Days are in this time zone.'),
    startsOn: dayOut.describe('The first day.'),
    endsOn: dayOut.describe('The last day, which is included.'),
    clicks: countOut.describe('The number of clicks.'),
    recorded: Step.describe('All orders of the period.'),
    kept: Step.describe('Those that were not returned in full, cancelled or rejected.'),
    paid: Step.describe('Those whose commissions have been paid.'),
  })
  .meta({
    id: 'Funnel',
    example: {
      currency: 'USD',
      timezone: 'America/New_York',
      startsOn: '2026-10-04',
      endsOn: '2026-11-02',
      clicks: 3120,
      recorded: { conversions: 214, salesCents: 1_840_200, commissionsCents: 276_030 },
      kept: { conversions: 201, salesCents: 1_721_400, commissionsCents: 258_210 },
      paid: { conversions: 120, salesCents: 1_012_000, commissionsCents: 151_800 },
    },
  });

const { from, to } = periodQuery;

export const getFunnel = endpoint({
  id: 'funnel.get',
  route: 'GET /v1/programs/:programId/metrics/funnel',
  scope: 'read',
  tag: 'Insights',
  summary: 'Get the funnel from clicks to paid orders',
  description: 'Orders count on the day on which they occurred. `kept` are among `recorded`, and `paid` among `kept`.',
  query: z.object({ from, to }),
  statuses: [200],
  result: Funnel,
  async handle(ctx, { actor: { programId }, query }) {
    const { timezone, currency } = await getProgram(ctx, programId);
    const current = readSpan(query, localDate(ctx.clock.now(), timezone));
    const period = { from: startOfDay(current.from, timezone), to: startOfDay(addDays(current.to, 1), timezone) };
    return readOnce(ctx, async (once) => ({
      currency,
      timezone,
      startsOn: current.from,
      endsOn: current.to,
      clicks: (await readSums(once, { programId, timezone, range: { current, previous: null } })).clicks,
      recorded: await readStep(once, programId, period, undefined),
      kept: await readStep(once, programId, period, keptStatuses),
      paid: await readStep(once, programId, period, ['paid']),
    }));
  },
});

type Period = { from: Date; to: Date };

async function readStep(ctx: Pick<Context, 'db'>, programId: string, period: Period, status: readonly string[] | undefined) {
  const { orders, amountCents, refundedCents, commissionCents, reversedCents } = await sumOrders(ctx, programId, {
    status,
    by: 'occurredAt',
    period,
  });
  if (status === undefined) return { conversions: orders, salesCents: amountCents, commissionsCents: commissionCents };
  return { conversions: orders, salesCents: amountCents - refundedCents, commissionsCents: commissionCents - reversedCents };
}
