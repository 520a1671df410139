// A range is read from as few stored spans as possible, and only the days without stored sums are counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mondayOf } from '../../platform/lib/zoned-time.ts';
import { planReads } from './plan-reads.ts';

const starts = {
  day: () => true,
  week: (day: string) => day === mondayOf(day),
  month: (day: string) => day.endsWith('-01'),
};

/** `hasSums` decides about the spans that exist. */
const plan = (from: string, to: string, hasSums: (key: string) => boolean) => {
  const range = { current: { from, to }, previous: null };
  const { stored, counted } = planReads(range, ({ span, startsOn }) => starts[span](startsOn) && hasSums(`${span} ${startsOn}`));
  return {
    stored: stored.map(({ span, startsOn }) => `${span} ${startsOn}`),
    counted: counted.map((piece) => `${piece.from} ${piece.to}`),
  };
};

test('months come before weeks, and weeks before days', () => {
  // 31 August and 5 October 2026 are Mondays.
  const mondays = ['2026-08-31', '2026-09-07', '2026-09-14', '2026-09-21', '2026-09-28', '2026-10-05'];
  assert.deepEqual(
    plan('2026-08-31', '2026-10-13', (key) => key < 'day 2026-10-13' || key.startsWith('week')),
    { stored: [...mondays.map((day) => `week ${day}`), 'day 2026-10-12'], counted: ['2026-10-13 2026-10-13'] },
  );
  assert.deepEqual(plan('2026-09-01', '2026-10-04', () => true).stored, [
    'month 2026-09-01',
    ...[1, 2, 3, 4].map((day) => `day 2026-10-0${day}`),
  ]);
});

test('a span that reaches beyond the range, or has no sums, is left out', () => {
  assert.deepEqual(
    plan('2026-09-01', '2026-09-03', (key) => key !== 'day 2026-09-02'),
    {
      stored: ['day 2026-09-01', 'day 2026-09-03'],
      counted: ['2026-09-02 2026-09-02'],
    },
  );
  assert.deepEqual(
    plan('2026-09-01', '2026-09-03', () => false),
    { stored: [], counted: ['2026-09-01 2026-09-03'] },
  );
});
