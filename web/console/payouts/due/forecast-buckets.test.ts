// The bars of the forecast add up to its days, and the payday follows the last batch.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addDays } from '../../../ui/figures/days.ts';
import { nextPayday, toBuckets } from './forecast-buckets.ts';

// A Tuesday.
const days = Array.from({ length: 60 }, (_, index) => ({ maturesOn: addDays('2026-11-24', index), maturingCents: index * 7 }));
const sum = (rows: readonly { maturingCents: number }[]) => rows.reduce((all, { maturingCents }) => all + maturingCents, 0);

describe('the forecast', () => {
  test('in weeks starts on Mondays, and in months on the first, and adds up to its days', () => {
    const [weeks, months] = [toBuckets(days, 'week'), toBuckets(days, 'month')];
    assert.deepEqual([sum(weeks), sum(months)], [sum(days), sum(days)]);
    assert.deepEqual(
      [weeks[0], weeks[1]?.start, weeks[1]?.end],
      [{ start: '2026-11-24', end: '2026-11-29', maturingCents: 105 }, '2026-11-30', '2026-12-06'],
    );
    assert.deepEqual(
      months.map(({ start, end }) => [start, end]),
      [
        ['2026-11-24', '2026-11-30'],
        ['2026-12-01', '2026-12-31'],
        ['2027-01-01', '2027-01-22'],
      ],
    );
  });

  test('expects the next batch on the day of the month of the last one', () => {
    assert.equal(nextPayday('2026-11-05', '2026-11-24'), '2026-12-05');
    assert.equal(nextPayday('2026-10-28', '2026-11-24'), '2026-11-28');
    assert.equal(nextPayday('2026-11-24', '2026-11-24'), '2026-12-24');
    assert.equal(nextPayday('2026-12-31', '2027-02-01'), '2027-02-28');
  });
});
