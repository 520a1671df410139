// Where the figures of a row lead: to its orders, its commissions, and what it is about. Pure.
import { addDays } from '../../ui/figures/days.ts';
import { bucketOf, type Insights, type InsightsRow } from './insights-types.ts';

/** A screen's path with its parameters. */
export type Target = readonly [path: string, search?: Record<string, string>];

export type RowTargets = { name?: Target; orders?: Target; commissions?: Target };

/** The filter of the orders by each breakdown, and where its values are shown. */
const places: Partial<Record<Insights['breakdown'], { filter: string; nameOf?: (value: string) => Target }>> = {
  affiliate: { filter: 'affiliateId', nameOf: (value) => [`affiliates/${value}`] },
  group: { filter: 'groupId', nameOf: (value) => ['affiliates', { groupId: value }] },
  product: { filter: 'productId', nameOf: (value) => ['products', { product: value }] },
  coupon: { filter: 'couponId', nameOf: (value) => ['coupons', { coupon: value }] },
  subId: { filter: 'subId' },
};

/** The targets of a row. Figures that no list can be filtered by have none, such as those of "None or unknown". */
export function toTargets({ breakdown, startsOn: from, endsOn: to, rows }: Insights, row: Pick<InsightsRow, 'value'>): RowTargets {
  const { value } = row;
  if (value === null) return {};
  if (bucketOf(breakdown) !== null) {
    const next = rows[rows.findIndex((each) => each.value === value) + 1]?.value;
    const days = { from: value, to: next ? addDays(next, -1) : to };
    return { orders: ['conversions', days], commissions: ['commissions', days] };
  }
  const place = places[breakdown];
  if (!place) return {};
  const orders: Target = ['conversions', { [place.filter]: value, from, to }];
  const commissions: Target = breakdown === 'affiliate' ? ['commissions', { affiliateId: value, from, to }] : orders;
  const targets = { orders, commissions };
  return place.nameOf ? { ...targets, name: place.nameOf(value) } : targets;
}
