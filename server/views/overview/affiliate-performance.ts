// What one affiliate brought in a period and the one before: sums, buckets for a chart, and the products that earned most.
import { sql } from 'kysely';
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context } from '../../context.ts';
import { affiliateSlot } from '../../partners/affiliates/affiliate.ts';
import { pendingClicks } from '../../partners/affiliates/totals/pending.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, dayOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { addDays, localDate, startOfDay } from '../../platform/lib/zoned-time.ts';
import { periodQuery, readSpan } from './period.ts';
import { type Range, toRange } from './range.ts';
import { type Figures, sumDays } from './sum-figures.ts';

const topCount = 5;

const sums = {
  clicks: countOut.describe('The number of clicks.'),
  conversions: countOut.describe('The number of conversions.'),
  salesCents: centsOut,
  commissionsCents: centsOut,
};
const Sums = z.object(sums).meta({ id: 'AffiliateSums' });

const Bucket = z
  .object({
    from: dayOut.describe('The first day.'),
    to: dayOut.describe('The last day, which is included.'),
    isIncomplete: z.boolean().describe('Contains today.'),
    ...sums,
    previous: z
      .object({ from: dayOut.describe('The first day.'), to: dayOut.describe('The last day, which is included.'), ...sums })
      .nullable()
      .describe('The same bucket of the period before.'),
  })
  .meta({ id: 'AffiliateBucket' });

const TopProduct = z
  .object({
    productId: uuidOut,
    name: z.string(),
    conversions: countOut.describe('The number of conversions with the product.'),
    salesCents: centsOut,
    commissionsCents: centsOut,
  })
  .meta({ id: 'AffiliateTopProduct' });

const exampleSums = { clicks: 412, conversions: 31, salesCents: 286_400, commissionsCents: 35_800 };

const AffiliatePerformance = z
  .object({
    affiliateId: uuidOut,
    currency: currencyOut,
    timezone: z.string(),
    from: dayOut.describe('The first day.'),
    to: dayOut.describe('The last day, which is included.'),
    interval: z.enum(['day', 'week', 'month']),
    current: Sums.describe('The figures of the period.'),
    previous: Sums.nullable().describe('The figures of the period before; null if they were not requested.'),
    series: z.array(Bucket),
    topProducts: z.array(TopProduct).describe('By commissions earned in the period, the highest first.'),
  })
  .meta({
    id: 'AffiliatePerformance',
    example: {
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      currency: 'USD',
      timezone: 'America/New_York',
      from: '2026-11-02',
      to: '2026-11-02',
      interval: 'day',
      current: exampleSums,
      previous: exampleSums,
      series: [
        {
          from: '2026-11-02',
          to: '2026-11-02',
          isIncomplete: true,
          ...exampleSums,
          previous: { from: '2026-11-01', to: '2026-11-01', ...exampleSums },
        },
      ],
      topProducts: [
        {
          productId: '01980a52-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
          name: 'Practice Starter Kit',
          conversions: 12,
          salesCents: 298_800,
          commissionsCents: 44_820,
        },
      ],
    },
  });

export const getAffiliatePerformance = endpoint({
  id: 'affiliates.performance',
  route: 'GET /app/programs/:programId/affiliates/:id/performance',
  scope: 'read',
  isUserOnly: true,
  tag: 'Affiliate table',
  summary: "Get an affiliate's clicks, sales and commissions over time",
  description:
    'Amounts count on the day of their order: a refund reduces the sales of the day on which the order was placed. Days are in the ' +
    "program's time zone.",
  path: { id: affiliateSlot },
  query: z.object(periodQuery),
  statuses: [200],
  result: AffiliatePerformance,
  async handle(ctx, { actor: { programId }, params: { id }, query }) {
    const { timezone, currency } = await getProgram(ctx, programId);
    const today = localDate(ctx.clock.now(), timezone);
    const range = toRange({ ...query, ...readSpan(query, today) });
    const owner = { programId, affiliateId: id };
    const days = await readDays(ctx, owner, range);
    return {
      affiliateId: id,
      currency,
      timezone,
      ...range.current,
      interval: range.interval,
      current: sumDays(days, range.current),
      previous: range.previous && sumDays(days, range.previous),
      series: toSeries(days, range, today),
      topProducts: await readTopProducts(ctx, owner, {
        from: startOfDay(range.current.from, timezone),
        to: startOfDay(addDays(range.current.to, 1), timezone),
      }),
    };
  },
});

type Owner = { programId: string; affiliateId: string };
type Day = Figures & { day: string };

/** The days on which something happened. One lookup per day, so that the index on (affiliate, day) is used. */
async function readDays(ctx: Pick<Context, 'db'>, { programId, affiliateId }: Owner, range: Range): Promise<Day[]> {
  const { rows } = await sql<Day>`
    select to_char(day, 'YYYY-MM-DD') as day, sum(clicks)::bigint as clicks, sum(conversions)::bigint as conversions,
      sum(sales_cents)::bigint as sales_cents, sum(commissions_cents)::bigint as commissions_cents
    from (
      select day, clicks, conversions, sales_cents - refunds_cents as sales_cents, commissions_cents - reversals_cents as commissions_cents
      from daily_totals
      where program_id = ${programId} and affiliate_id = ${affiliateId} and day = any(${daysOf(range)}::date[])
      union all
      select day, clicks, 0, 0, 0 from (${pendingClicks(programId)}) as pending
      where affiliate_id = ${affiliateId} and day = any(${daysOf(range)}::date[])
    ) as total
    group by 1 order by 1`.execute(ctx.db);
  return rows;
}

function daysOf({ current, previous }: Range): string[] {
  return [current, previous].flatMap((span) => {
    const days: string[] = [];
    for (let day = span?.from ?? ''; span !== null && day <= span.to; day = addDays(day, 1)) days.push(day);
    return days;
  });
}

function toSeries(days: readonly Day[], { buckets, previousBuckets }: Range, today: string) {
  return buckets.map((span, index) => {
    const previous = previousBuckets[index];
    return {
      ...span,
      isIncomplete: span.to >= today,
      ...sumDays(days, span),
      previous: previous ? { ...previous, ...sumDays(days, previous) } : null,
    };
  });
}

type TopProductRow = z.output<typeof TopProduct>;

async function readTopProducts(
  ctx: Pick<Context, 'db'>,
  { programId, affiliateId }: Owner,
  { from, to }: { from: Date; to: Date },
): Promise<TopProductRow[]> {
  const { rows } = await sql<TopProductRow>`
    select commission.product_id, product.name, count(distinct commission.conversion_id) as conversions,
      sum(commission.base_cents - commission.refunded_cents)::bigint as sales_cents,
      sum(commission.amount_cents - commission.reversed_cents)::bigint as commissions_cents
    from commissions as commission
    join products as product on product.program_id = ${programId} and product.id = commission.product_id
    where commission.program_id = ${programId} and commission.affiliate_id = ${affiliateId}
      and commission.kind = 'order' and commission.level = 1 and commission.status <> 'rejected'
      and commission.created_at >= ${from} and commission.created_at < ${to}
    group by commission.product_id, product.name
    order by commissions_cents desc, product.name
    limit ${topCount}`.execute(ctx.db);
  return rows;
}
