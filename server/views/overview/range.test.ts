import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toRange } from './range.ts';

const starts = (range: { from: string }[]) => range.map(({ from }) => from);

test('the previous period has as many days and ends the day before', () => {
  const { current, previous, interval, buckets, previousBuckets } = toRange({ from: '2026-03-01', to: '2026-03-30', compare: 'previous' });
  assert.deepEqual([current.to, previous], ['2026-03-30', { from: '2026-01-30', to: '2026-02-28' }]);
  assert.deepEqual([interval, buckets.length, previousBuckets.length], ['day', 30, 30]);
  assert.deepEqual(previousBuckets.at(-1), { from: '2026-02-28', to: '2026-02-28' });
});

test('the year before starts on the same date', () => {
  assert.deepEqual(toRange({ from: '2028-02-29', to: '2028-03-01', compare: 'year' }).previous, { from: '2027-02-28', to: '2027-03-01' });
  assert.deepEqual(toRange({ from: '2026-11-01', to: '2026-11-22', compare: 'year' }).previous, { from: '2025-11-01', to: '2025-11-22' });
});

test('weeks start on Monday, months on the first; what is cut off is shorter', () => {
  const weeks = toRange({ from: '2026-11-04', to: '2026-11-17', compare: 'none', interval: 'week' });
  assert.deepEqual(weeks.buckets, [
    { from: '2026-11-04', to: '2026-11-08' },
    { from: '2026-11-09', to: '2026-11-15' },
    { from: '2026-11-16', to: '2026-11-17' },
  ]);
  assert.deepEqual([weeks.previous, weeks.previousBuckets], [null, []]);
  const months = toRange({ from: '2026-11-20', to: '2027-01-05', compare: 'previous', interval: 'month' });
  assert.deepEqual(starts(months.buckets), ['2026-11-20', '2026-12-01', '2027-01-01']);
});

test('long ranges have weeks or months', () => {
  assert.equal(toRange({ from: '2026-01-01', to: '2026-12-31', compare: 'none' }).interval, 'week');
  assert.equal(toRange({ from: '2024-01-01', to: '2026-12-31', compare: 'none' }).interval, 'month');
  assert.equal(toRange({ from: '2026-01-01', to: '2026-01-01', compare: 'none' }).buckets.length, 1);
});
