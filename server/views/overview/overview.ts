// The overview of a program: its most important fact, its money by state, how the affiliates perform, and what needs
// attention. Read from sums that are maintained with the writes, never from clicks or orders.
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import type { Permission } from '../../platform/http/declaration/permissions.ts';
import { addDays, localDate, startOfDay } from '../../platform/lib/zoned-time.ts';
import { readAttention } from './attention.ts';
import { chooseHeadline, readDue, readLockState } from './headline.ts';
import { type MoneyByState, readMoney } from './money.ts';
import { type Performance, readPerformance, readTopAffiliates, type Sums } from './performance.ts';
import { periodQuery, readSpan } from './period.ts';
import { type Range, toRange } from './range.ts';
import { Overview } from './shape.ts';

export const getOverview = endpoint({
  id: 'overview.get',
  route: 'GET /app/programs/:programId/overview',
  scope: 'read',
  isUserOnly: true,
  tag: 'Overview',
  summary: 'Get the overview of a program',
  description:
    'Amounts count on the day of their order: a refund reduces the sales of the day on which the order was placed. Days are in the ' +
    "program's time zone.",
  query: z.object(periodQuery),
  statuses: [200],
  result: Overview,
  async handle(ctx, { actor, query }) {
    const { programId } = actor;
    const permissions: ReadonlySet<Permission> = 'permissions' in actor ? actor.permissions : new Set();
    const { timezone, currency, name } = await getProgram(ctx, programId);
    const now = ctx.clock.now();
    const today = localDate(now, timezone);
    const range = toRange({ ...query, ...readSpan(query, today) });
    return {
      programId,
      name,
      currency,
      timezone,
      asOf: now.toISOString(),
      ...(await readOverview(ctx, programId, { range, timezone, today, permissions })),
    };
  },
});

type Period = { range: Range; timezone: string; today: string; permissions: ReadonlySet<Permission> };

async function readOverview(ctx: Context, programId: string, { range, timezone, today, permissions }: Period) {
  const { from, to } = range.current;
  const paid = { paidFrom: startOfDay(from, timezone), paidTo: startOfDay(addDays(to, 1), timezone) };
  const [money, performance, topAffiliates, attention, lock, due, hasOrders] = await Promise.all([
    readMoney(ctx, programId, { now: ctx.clock.now(), ...paid }),
    readPerformance(ctx, programId, range),
    readTopAffiliates(ctx, programId, range.current),
    readAttention(ctx, { programId, permissions }),
    readLockState(ctx, programId),
    readDue(ctx, programId),
    readHasOrders(ctx, programId),
  ]);
  return {
    from,
    to,
    previousFrom: range.previous?.from ?? null,
    previousTo: range.previous?.to ?? null,
    interval: range.interval,
    headline: chooseHeadline({ lock, due, attention, nextMaturesAt: money.nextMaturesAt }),
    money: toMoney(money),
    due,
    metrics: toMetrics(performance),
    series: toSeries(range, performance, today),
    topAffiliates,
    attention,
    hasOrders,
  };
}

function toMoney(money: MoneyByState) {
  return {
    pending: { amountCents: money.pendingCents, affiliates: money.pendingAffiliates, nextAt: toText(money.nextMaturesAt) },
    held: { amountCents: money.heldCents, affiliates: money.heldAffiliates, conversions: money.heldConversions },
    ready: { amountCents: money.readyCents, affiliates: money.readyAffiliates },
    inTransit: { amountCents: money.inTransitCents, affiliates: money.inTransitAffiliates, sinceAt: toText(money.inTransitSince) },
    paid: { amountCents: money.paidCents, affiliates: money.paidAffiliates, lastAt: toText(money.lastPaidAt) },
    debts: { amountCents: money.debtCents, affiliates: money.debtAffiliates },
  };
}

function toText(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}

function toMetrics({ current, previous }: Performance) {
  return {
    salesCents: { value: current.salesCents, previous: previous?.salesCents ?? null },
    commissionsCents: { value: current.commissionsCents, previous: previous?.commissionsCents ?? null },
    commissionPercent: { value: toPercent(current), previous: previous && toPercent(previous) },
    affiliates: { value: current.affiliates, previous: previous?.affiliates ?? null },
  };
}

/** Commissions as a percentage of sales, with one decimal; null without sales. */
export function toPercent({ salesCents, commissionsCents }: Sums): number | null {
  return salesCents > 0 ? Math.round((commissionsCents * 1000) / salesCents) / 10 : null;
}

function toSeries({ buckets, previousBuckets }: Range, performance: Performance, today: string) {
  return buckets.map(({ from, to }, index) => {
    const previous = previousBuckets[index];
    const previousSums = performance.previousBuckets[index];
    return {
      from,
      to,
      isIncomplete: to >= today,
      ...toPoint(performance.buckets[index]),
      previous: previous && previousSums ? { ...previous, ...toPoint(previousSums) } : null,
    };
  });
}

function toPoint(sums: Sums | undefined) {
  const { salesCents = 0, commissionsCents = 0, affiliates = 0 } = sums ?? {};
  return { salesCents, commissionsCents, commissionPercent: sums ? toPercent(sums) : null, affiliates };
}

/** Whether an order was ever credited: a program without one shows its first steps instead of figures. */
async function readHasOrders({ db }: Context, programId: string): Promise<boolean> {
  const order = await db.selectFrom('conversions').select('id').where('programId', '=', programId).limit(1).executeTakeFirst();
  return order !== undefined;
}
