// Where the figures of a row lead: to its clicks, orders and commissions, and what it is about. Pure.
import { addDays } from '../../ui/figures/days.ts';
import { bucketOf, type Insights, type InsightsRow, type MetricName } from './insights-types.ts';

/** A screen's path with its parameters. */
export type Target = readonly [path: string, search?: Record<string, string>];

export type RowTargets = { name?: Target } & { [Metric in MetricName]?: Target };

/** The filter of the lists by each breakdown, and where its values are shown. */
const places: Partial<Record<Insights['breakdown'], { filter: string; nameOf?: (value: string) => Target }>> = {
  affiliate: { filter: 'affiliateId', nameOf: (value) => [`affiliates/${value}`] },
  group: { filter: 'groupId', nameOf: (value) => ['affiliates', { groupId: value }] },
  product: { filter: 'productId', nameOf: (value) => ['products', { product: value }] },
  coupon: { filter: 'couponId', nameOf: (value) => ['coupons', { coupon: value }] },
};

/** The targets of a row. Products and coupons have no clicks. */
export function toTargets({ breakdown, startsOn: from, endsOn: to, rows }: Insights, row: Pick<InsightsRow, 'value'>): RowTargets {
  const { value } = row;
  if (bucketOf(breakdown) !== null && value !== null) {
    const next = rows[rows.findIndex((each) => each.value === value) + 1]?.value;
    return toLists({}, { from: value, to: next ? addDays(next, -1) : to });
  }
  const place = places[breakdown];
  const filter: Record<string, string> = value === null ? { without: breakdown } : { [place?.filter ?? breakdown]: value };
  const { clicks, ...lists } = toLists(filter, { from, to });
  const targets = breakdown === 'product' || breakdown === 'coupon' ? lists : { clicks, ...lists };
  return value !== null && place?.nameOf ? { ...targets, name: place.nameOf(value) } : targets;
}

type Days = { from: string; to: string };

/** The lists of clicks, orders and commissions that a filter leads to. Commissions count on the day of their order. */
export function toLists(filter: Record<string, string>, { from, to }: Days): Record<MetricName, Target> {
  const orders: Target = ['conversions', { ...filter, from, to }];
  const commissions: Target = ['commissions', { ...filter, occurredFrom: from, occurredTo: to }];
  return {
    clicks: ['insights', { view: 'clicks', ...filter, from, to }],
    conversions: orders,
    salesCents: orders,
    commissionsCents: commissions,
  };
}

/** The last day of the month that starts on this day. */
export function lastOfMonth(startsOn: string): string {
  const [year = 0, month = 1] = startsOn.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}
