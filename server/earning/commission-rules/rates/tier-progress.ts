// An affiliate's progress through the tiers of a rule: the total that counts, the rate it gives, and what the next tier needs.
import { z } from 'zod';
import { countOut, timestampOut } from '../../../platform/http/declaration/fields.ts';
import { findReachedTier, metricKey, type RunningTotals } from '../calculate.ts';
import { toPeriodBounds } from '../load.ts';
import { Metric, Period, type Terms, type Tier } from '../terms.ts';

const Step = z
  .object({
    from: countOut.describe('The tier applies from this total on.'),
    rate: z.number().nullable().describe('In percent; for type `percentage`.'),
    amountCents: countOut.nullable().describe('For type `flat`.'),
    isReached: z.boolean().describe('Whether the total so far is at least `from`.'),
  })
  .meta({ id: 'TierStep' });

export const TierProgress = z
  .object({
    metric: Metric.describe("What counts: the affiliate's orders, their amount, or the commissions earned."),
    period: Period.describe("Calendar periods in the program's time zone."),
    periodEndsAt: timestampOut.nullable().describe('When the total starts again at 0; null if it never does.'),
    total: countOut.describe('The total so far: a number of orders, or cents.'),
    missing: countOut.nullable().describe('What the next tier needs; null if the highest is reached.'),
    steps: z.array(Step).describe('In ascending order. Below the first, the rate of the rule applies.'),
  })
  .meta({
    id: 'TierProgress',
    example: {
      metric: 'amountCents',
      period: 'month',
      periodEndsAt: '2026-12-01T05:00:00.000Z',
      total: 82_000,
      missing: 18_000,
      steps: [{ from: 100_000, rate: 15, amountCents: null, isReached: false }],
    },
  });

type Subject = { affiliateId: string; at: Date; running: RunningTotals };
export type Progress = { progress: z.input<typeof TierProgress>; current: Tier | null };

/** The progress under these terms; null if they have no tiers. */
export function describeTiers({ tiers }: Terms, { affiliateId, at, running }: Subject): Progress | null {
  const [first] = tiers;
  if (!first) return null;
  const { metric, period } = first;
  const total = Math.max(0, running.totals.get(metricKey(affiliateId, first, at, running.timezone)) ?? 0);
  const ascending = tiers.toSorted((a, b) => a.from - b.from);
  const next = ascending.find(({ from }) => from > total);
  const progress = {
    metric,
    period,
    periodEndsAt: period === 'total' ? null : toPeriodBounds(at, period, running.timezone).to,
    total,
    missing: next ? next.from - total : null,
    steps: ascending.map(({ from, rate, amountCents }) => ({
      from,
      rate: rate ?? null,
      amountCents: amountCents ?? null,
      isReached: from <= total,
    })),
  };
  return { progress, current: findReachedTier(tiers, affiliateId, at, running) };
}
