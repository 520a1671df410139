// Days in time zones, including days of 23 and 25 hours and days that don't start at midnight.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addDays, dayOf, daysBetween, startOfDay } from './days.ts';

describe('a day in a time zone', () => {
  test('starts at its midnight when clocks are set forward and when they are set back', () => {
    assert.equal(startOfDay('2026-03-29', 'Europe/Berlin'), '2026-03-28T23:00:00.000Z');
    assert.equal(startOfDay('2026-03-30', 'Europe/Berlin'), '2026-03-29T22:00:00.000Z');
    assert.equal(startOfDay('2026-10-25', 'Europe/Berlin'), '2026-10-24T22:00:00.000Z');
    assert.equal(startOfDay('2026-10-26', 'Europe/Berlin'), '2026-10-25T23:00:00.000Z');
    assert.equal(startOfDay('2026-03-08', 'America/New_York'), '2026-03-08T05:00:00.000Z');
    assert.equal(startOfDay('2026-03-09', 'America/New_York'), '2026-03-09T04:00:00.000Z');
    assert.equal(startOfDay('2026-11-01', 'America/New_York'), '2026-11-01T04:00:00.000Z');
    assert.equal(startOfDay('2026-11-02', 'America/New_York'), '2026-11-02T05:00:00.000Z');
  });

  test('starts at its first instant where midnight is skipped or occurs twice', () => {
    for (const zone of ['America/Santiago', 'Africa/Cairo', 'America/Havana', 'Asia/Beirut']) {
      for (let day = '2026-01-01'; day < '2027-01-01'; day = addDays(day, 1)) {
        const start = Date.parse(startOfDay(day, zone));
        assert.deepEqual([dayOf(start, zone), dayOf(start - 1, zone)], [day, addDays(day, -1)], zone);
      }
    }
  });

  test('is the day on which an instant falls there', () => {
    assert.equal(dayOf('2026-12-21T02:02:00Z', 'America/New_York'), '2026-12-20');
  });

  test('is counted by the calendar, even across a change of the clock', () => {
    assert.equal(daysBetween(Date.parse('2026-10-24T22:30:00Z'), Date.parse('2026-10-25T23:30:00Z'), 'Europe/Berlin'), 1);
  });
});
