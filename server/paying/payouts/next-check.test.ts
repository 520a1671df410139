import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNextCheck } from './next-check.ts';

const sentAt = new Date('2026-03-01T12:00:00Z');
const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
const after = (ms: number) => new Date(sentAt.getTime() + ms);

/** The ages at which a payout is checked that stays open, each check delayed by so much. */
function listChecks(days: number, delayMs: number): number[] {
  const ages: number[] = [];
  for (let at = sentAt; at < after(days * dayMs); ) {
    const next = findNextCheck(sentAt, at);
    assert.ok(next > at);
    ages.push(next.getTime() - sentAt.getTime());
    at = new Date(next.getTime() + delayMs);
  }
  return ages;
}

test('an open payout is checked after a minute, then less often, and once a day after a week', () => {
  const ages = listChecks(30, 0);
  assert.deepEqual(
    ages.slice(0, 5).map((age) => age / minuteMs),
    [1, 2, 3, 4.5, 6.75],
  );
  const pauses = ages.slice(1).map((age, index) => age - (ages[index] ?? 0));
  assert.deepEqual(
    pauses,
    pauses.toSorted((one, other) => one - other),
  );
  const isFirstWeek = (index: number) => (ages[index] ?? 0) < 7 * dayMs;
  assert.equal(Math.max(...pauses.filter((_, index) => isFirstWeek(index))), dayMs / 4);
  assert.deepEqual([...new Set(pauses.filter((_, index) => !isFirstWeek(index)))], [dayMs]);
});

test('a check that is late by less than a minute delays none of the others', () => {
  assert.deepEqual(listChecks(60, minuteMs - 1), listChecks(60, 0));
});

test('a clock that went backwards asks again after the first minute', () => {
  assert.deepEqual(findNextCheck(sentAt, after(-5000)), after(minuteMs));
});
