// What has been counted so far in a period: for tiers and budgets. Orders that are calculated together
// see each other here, in their order. Periods are those of the program's time zone.
import { localDate } from '../../platform/lib/zoned-time.ts';
import type { Metric, Period, Tier } from './terms.ts';

/** `totals` by metricKey, `spent` by budgetKey. Only keys that a rule asks for are kept. */
export type Running = { timezone: string; totals: Map<string, number>; spent: Map<string, number> };

export function newRunning(timezone = 'UTC'): Running {
  return { timezone, totals: new Map(), spent: new Map() };
}

/** The first local day of the calendar period that contains `at`; 'total' has a single period. */
export function periodStart(at: Date, period: Period, timezone: string): string {
  const [year = 0, number = 1] = localDate(at, timezone).split('-').map(Number);
  const month = number - 1;
  const day = (monthIndex: number) => `${year}-${String(monthIndex + 1).padStart(2, '0')}-01`;
  switch (period) {
    case 'month':
      return day(month);
    case 'quarter':
      return day(month - (month % 3));
    case 'year':
      return day(0);
    case 'total':
      return '2000-01-01';
    default:
      return period satisfies never;
  }
}

type Counted = { metric: Metric; period: Period };

export function metricKey(affiliateId: string, { metric, period }: Counted, at: Date, timezone: string): string {
  return `${affiliateId} ${metric} ${period} ${periodStart(at, period, timezone)}`;
}

export function budgetKey(ruleId: string, period: Period, at: Date, timezone: string): string {
  return `${ruleId} ${periodStart(at, period, timezone)}`;
}

/** The highest tier that the affiliate has reached before this order, or null. */
export function tierReached(tiers: readonly Tier[], affiliateId: string, at: Date, running: Running): Tier | null {
  const [first] = tiers;
  if (!first) return null;
  const reached = running.totals.get(metricKey(affiliateId, first, at, running.timezone)) ?? 0;
  return tiers
    .filter(({ from }) => from <= reached)
    .reduce<Tier | null>((best, tier) => (best && best.from > tier.from ? best : tier), null);
}

/** Counts an order for the tiers of its affiliate: every total that is kept and that it falls into. */
export function countOrder(running: Running, order: { affiliateId: string; at: Date; amountCents: number; commissionCents: number }): void {
  const added: Record<Metric, number> = { conversions: 1, amountCents: order.amountCents, commissionCents: order.commissionCents };
  for (const metric of ['conversions', 'amountCents', 'commissionCents'] as const) {
    for (const period of ['month', 'quarter', 'year', 'total'] as const) {
      const key = metricKey(order.affiliateId, { metric, period }, order.at, running.timezone);
      const total = running.totals.get(key);
      if (total !== undefined) running.totals.set(key, total + added[metric]);
    }
  }
}
