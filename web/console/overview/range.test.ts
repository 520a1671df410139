import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countDays, readPeriod } from './range.ts';

const today = '2026-11-22';

test('without parameters, the last 30 days are compared with those before', () => {
  const period = readPeriod({}, today);
  assert.deepEqual(period, { range: '30d', from: '2026-10-24', to: today, compare: 'previous', metric: 'commissions' });
  assert.equal(countDays(period), 30);
});

test('presets end today', () => {
  const starts = ['today', '7d', '90d', 'month', 'year'].map((range) => readPeriod({ range }, today).from);
  assert.deepEqual(starts, [today, '2026-11-16', '2026-08-25', '2026-11-01', '2026-01-01']);
});

test('two days are a separate period; what is no day is ignored', () => {
  assert.equal(readPeriod({ from: '2026-02-01', to: '2026-02-28' }, today).range, 'custom');
  for (const search of [
    { from: '2026-02-30', to: '2026-03-01' },
    { from: '2026-03-02', to: '2026-03-01' },
    { from: 'x', to: 'y' },
    { range: 'z' },
  ])
    assert.equal(readPeriod(search, today).range, '30d');
});
