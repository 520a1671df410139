// Periods are split so that every instant of them is counted once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOfDay } from '../lib/zoned-time.ts';
import { splitPeriod } from './day-totals.ts';

const at = (text: string) => new Date(text);

test('whole days are read from the stored sums, and the parts around them are counted', () => {
  assert.deepEqual(splitPeriod({ from: at('2026-03-01T05:00:00Z'), to: at('2026-03-04T07:00:00Z') }, 'UTC'), {
    days: { from: '2026-03-02', to: '2026-03-04' },
    parts: [
      { from: at('2026-03-01T05:00:00Z'), to: at('2026-03-02T00:00:00Z') },
      { from: at('2026-03-04T00:00:00Z'), to: at('2026-03-04T07:00:00Z') },
    ],
  });
  assert.deepEqual(splitPeriod({ from: at('2026-03-01T00:00:00Z'), to: at('2026-03-02T00:00:00Z') }, 'UTC'), {
    days: { from: '2026-03-01', to: '2026-03-02' },
    parts: [],
  });
});

test('a period without a whole day is counted', () => {
  for (const [from, to] of [
    ['2026-03-01T05:00:00Z', '2026-03-01T07:00:00Z'],
    ['2026-03-01T05:00:00Z', '2026-03-02T07:00:00Z'],
    ['2026-03-09T05:00:00Z', '2026-03-02T07:00:00Z'],
  ] as const) {
    const period = { from: at(from), to: at(to) };
    assert.deepEqual(splitPeriod(period, 'UTC'), { days: null, parts: [period] });
  }
});

test('an open period has a part only at its end', () => {
  const from = at('2026-03-01T05:00:00Z');
  assert.deepEqual(splitPeriod({}, 'UTC'), { days: { from: undefined, to: undefined }, parts: [] });
  assert.deepEqual(splitPeriod({ from }, 'UTC'), {
    days: { from: '2026-03-02', to: undefined },
    parts: [{ from, to: at('2026-03-02T00:00:00Z') }],
  });
  assert.deepEqual(splitPeriod({ to: from }, 'UTC'), {
    days: { from: undefined, to: '2026-03-01' },
    parts: [{ from: at('2026-03-01T00:00:00Z'), to: from }],
  });
});

test('random periods are covered without gaps or overlaps in every zone', () => {
  for (const timezone of ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia']) {
    for (let step = 0; step < 40; step += 1) {
      const from = new Date(Date.UTC(2026, 2, 1) + ((step * 7_919_000_003) % (30 * 86_400_000)));
      const to = new Date(from.getTime() + ((step * 104_729_000_001) % (4 * 86_400_000)));
      const { days, parts } = splitPeriod({ from, to }, timezone);
      const spans = [...parts];
      if (days?.from && days.to && days.from < days.to)
        spans.push({ from: startOfDay(days.from, timezone), to: startOfDay(days.to, timezone) });
      spans.sort((a, b) => a.from.getTime() - b.from.getTime());
      assert.deepEqual([spans[0]?.from, spans.at(-1)?.to], [from, to]);
      for (const [index, span] of spans.entries()) if (index > 0) assert.deepEqual(span.from, spans[index - 1]?.to);
    }
  }
});
