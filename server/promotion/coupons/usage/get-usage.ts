// How a coupon was used: its orders per day, and how many of them came from customers who never clicked a link. A leaked
// code shows there: coupon sites and browser extensions bring orders without clicks.
import { sql } from 'kysely';
import { z } from 'zod';
import { getProgram } from '../../../accounts/programs/program.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, timestampOut } from '../../../platform/http/declaration/fields.ts';
import { couponSlot } from '../coupon.ts';
import { hasClick, minOrders, minShareWithoutClick, windowDays } from '../detect-leaks.ts';

const shownDays = 30;

const withoutClick = countOut.describe('Those of customers who clicked no link of an affiliate before.');

const Day = z
  .object({ day: z.string().describe('In the time zone of the program.'), orders: countOut, withoutClick })
  .meta({ id: 'CouponUsageDay' });

export const getCouponUsage = endpoint({
  id: 'coupons.usage',
  route: 'GET /v1/programs/:programId/coupons/:id/usage',
  scope: 'read',
  tag: 'Coupons',
  summary: 'Get the usage of a coupon',
  description:
    `The orders that the coupon was credited with in the last ${shownDays} days. A leak is suspected when at least ${minOrders} orders of ` +
    `${windowDays} days, and ${minShareWithoutClick * 100}% of them, are of customers without a click.`,
  path: { id: couponSlot },
  statuses: [200],
  result: z
    .object({
      orders: countOut.describe('The orders of these days.'),
      withoutClick,
      salesCents: centsOut,
      currency: currencyOut,
      leakSuspectedAt: timestampOut.nullable().describe('When orders with this coupon first suggested that the code was leaked.'),
      days: z.array(Day).describe('Every day, the earliest first.'),
    })
    .meta({
      id: 'CouponUsage',
      example: {
        orders: 24,
        withoutClick: 23,
        salesCents: 119_520,
        currency: 'USD',
        leakSuspectedAt: '2026-11-20T04:23:00.000Z',
        days: [{ day: '2026-11-20', orders: 24, withoutClick: 23 }],
      },
    }),
  async handle(ctx, { actor: { programId, currency }, params: { id } }) {
    const { timezone } = await getProgram(ctx, programId);
    const now = ctx.clock.now();
    const coupons = ctx.db.selectFrom('coupons').select('leakSuspectedAt').where('programId', '=', programId);
    const { leakSuspectedAt } = await coupons.where('id', '=', id).executeTakeFirstOrThrow();
    const { rows } = await sql<{ day: string; orders: number; withoutClick: number; salesCents: number }>`
      select to_char(day, 'YYYY-MM-DD') as day, count(used.id)::int as orders,
        count(used.id) filter (where not used.has_click)::int as without_click,
        coalesce(sum(used.amount_cents), 0)::bigint as sales_cents
      from generate_series(
        (${now}::timestamptz at time zone ${timezone})::date - ${shownDays - 1}::int,
        (${now}::timestamptz at time zone ${timezone})::date, '1 day'
      ) as day
      left join (
        select id, amount_cents, (occurred_at at time zone ${timezone})::date as used_on, ${hasClick} as has_click
        from conversions
        where program_id = ${programId} and coupon_id = ${id}
          and occurred_at >= ${new Date(now.getTime() - (shownDays + 1) * 86_400_000)}
      ) as used on used.used_on = day::date
      group by day order by day`.execute(ctx.db);
    const sum = (pick: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + Number(pick(row)), 0);
    return {
      orders: sum((row) => row.orders),
      withoutClick: sum((row) => row.withoutClick),
      salesCents: sum((row) => row.salesCents),
      currency,
      leakSuspectedAt: leakSuspectedAt?.toISOString() ?? null,
      days: rows.map(({ day, orders, withoutClick }) => ({ day, orders, withoutClick })),
    };
  },
});
