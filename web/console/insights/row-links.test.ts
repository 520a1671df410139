// Each row leads to the orders and commissions that its figures count.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Insights } from './insights-types.ts';
import { toTargets } from './row-links.ts';

const period = { startsOn: '2026-11-01', endsOn: '2026-11-20' };
const insights = (breakdown: Insights['breakdown'], values: (string | null)[]) =>
  ({ breakdown, ...period, rows: values.map((value) => ({ value })) }) as Insights;
const targets = (breakdown: Insights['breakdown'], values: (string | null)[], value: string | null) =>
  toTargets(insights(breakdown, values), { value });

test('an affiliate leads to their page, orders and commissions in the period', () => {
  const days = { from: '2026-11-01', to: '2026-11-20' };
  assert.deepEqual(targets('affiliate', ['a'], 'a'), {
    name: ['affiliates/a'],
    orders: ['conversions', { affiliateId: 'a', ...days }],
    commissions: ['commissions', { affiliateId: 'a', ...days }],
  });
});

test('a week leads to its days within the period', () => {
  const weeks = ['2026-11-01', '2026-11-09', '2026-11-16'];
  const days = (value: string) => targets('week', weeks, value).orders?.[1];
  assert.deepEqual(days('2026-11-01'), { from: '2026-11-01', to: '2026-11-08' });
  assert.deepEqual(days('2026-11-16'), { from: '2026-11-16', to: '2026-11-20' });
});

test('rows without a value, and breakdowns that no list is filtered by, lead nowhere', () => {
  assert.deepEqual(targets('coupon', [null], null), {});
  assert.deepEqual(targets('device', ['phone'], 'phone'), {});
});
