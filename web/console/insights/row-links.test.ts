// Each row leads to the orders and commissions that its figures count.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Insights } from './insights-types.ts';
import { lastOfMonth, toTargets } from './row-links.ts';

const period = { startsOn: '2026-11-01', endsOn: '2026-11-20' };
const insights = (breakdown: Insights['breakdown'], values: (string | null)[]) =>
  ({ breakdown, ...period, rows: values.map((value) => ({ value })) }) as Insights;
const targets = (breakdown: Insights['breakdown'], values: (string | null)[], value: string | null) =>
  toTargets(insights(breakdown, values), { value });

test('an affiliate leads to their page, clicks, orders and commissions in the period', () => {
  const filter = { affiliateId: 'a', from: '2026-11-01', to: '2026-11-20' };
  assert.deepEqual(targets('affiliate', ['a'], 'a'), {
    name: ['affiliates/a'],
    clicks: ['insights', { view: 'clicks', ...filter }],
    conversions: ['conversions', filter],
    salesCents: ['conversions', filter],
    commissionsCents: ['commissions', { affiliateId: 'a', occurredFrom: '2026-11-01', occurredTo: '2026-11-20' }],
  });
});

test('a week leads to its days within the period', () => {
  const weeks = ['2026-11-01', '2026-11-09', '2026-11-16'];
  const days = (value: string) => targets('week', weeks, value).conversions?.[1];
  assert.deepEqual(days('2026-11-01'), { from: '2026-11-01', to: '2026-11-08' });
  assert.deepEqual(days('2026-11-16'), { from: '2026-11-16', to: '2026-11-20' });
});

test('what has no value leads to the rows without one, and products and coupons to no clicks', () => {
  const { from, to } = { from: '2026-11-01', to: '2026-11-20' };
  assert.deepEqual(targets('coupon', [null], null).conversions, ['conversions', { without: 'coupon', from, to }]);
  assert.deepEqual([targets('coupon', [null], null).clicks, targets('product', ['p'], 'p').clicks], [undefined, undefined]);
  assert.deepEqual(targets('device', ['phone'], 'phone').clicks, ['insights', { view: 'clicks', device: 'phone', from, to }]);
});

test('a month ends with its last day', () => {
  assert.deepEqual(['2028-02-01', '2026-12-01'].map(lastOfMonth), ['2028-02-29', '2026-12-31']);
});
