// What the screen shows, and what its URL says. Pure.
import type { Result } from '../../api/call.ts';
import type { ChartFormat } from '../../ui/charts/chart-types.ts';
import { type RawSearch, readOne } from '../../url/url-state.ts';

export type Insights = Result<'metrics.get'>;
export type InsightsRow = Insights['rows'][number];
export type MetricName = Insights['metric'];
export type Breakdown = Insights['breakdown'];

export const metrics = ['clicks', 'conversions', 'salesCents', 'commissionsCents'] as const;
export const breakdowns = [
  'affiliate',
  'group',
  'link',
  'subId',
  'product',
  'coupon',
  'landingPage',
  'country',
  'source',
  'device',
  'day',
  'week',
  'month',
] as const;

/** What the table of cohorts shows. */
export const cohortMetrics = ['affiliates', 'salesCents', 'commissionsCents'] as const;
export type CohortMetric = (typeof cohortMetrics)[number];

type Choice = { metric: MetricName; breakdown: Breakdown; cohorts: CohortMetric };

export function readChoice(raw: RawSearch): Choice {
  return {
    metric: readOne(raw, 'metric', metrics) ?? 'salesCents',
    breakdown: readOne(raw, 'breakdown', breakdowns) ?? 'affiliate',
    cohorts: readOne(raw, 'cohorts', cohortMetrics) ?? 'affiliates',
  };
}

/** The length of a bucket; null if the rows aren't days, weeks or months. */
export function bucketOf(breakdown: Breakdown): 'day' | 'week' | 'month' | null {
  return breakdown === 'day' || breakdown === 'week' || breakdown === 'month' ? breakdown : null;
}

/** Whether a metric is a number of clicks or orders; the others are amounts. */
export function isCount(metric: MetricName): boolean {
  return metric === 'clicks' || metric === 'conversions';
}

export function formatOf(metric: MetricName, currency: string): ChartFormat {
  return isCount(metric) ? { kind: 'count' } : { kind: 'money', currency };
}

/** No change in percent is shown from a lower value. */
export function minimumBaseOf(metric: MetricName): number {
  return isCount(metric) ? 20 : 2000;
}

/** Whether nothing happened in either period. */
export function isNothing({ sums }: Insights): boolean {
  return metrics.every((metric) => sums[metric] === 0 && (sums.previous?.[metric] ?? 0) === 0);
}

/** A row's share of a metric's sum, in percent; null without a sum. */
export function shareOf(row: Pick<InsightsRow, MetricName>, { sums, metric }: Insights): number | null {
  return sums[metric] > 0 && row[metric] >= 0 ? (row[metric] / sums[metric]) * 100 : null;
}
