// Days and months in time zones, including days that have 23 or 25 hours, start at 01:00, or don't exist.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, addMonths, localDate, localMonth, monthSpan, startOfDay } from './zoned-time.ts';

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu', 'Africa/Cairo'];

test('a day starts at the first instant of its date, for every day of 2026 in every zone', () => {
  for (const zone of [...zones, 'America/Santiago', 'Australia/Lord_Howe', 'Asia/Beirut', 'America/Havana']) {
    let last = startOfDay('2025-12-31', zone);
    for (let date = '2026-01-01'; date < '2027-01-01'; date = addDays(date, 1)) {
      const start = startOfDay(date, zone);
      assert.equal(localDate(start, zone), date, zone);
      assert.equal(localDate(new Date(start.getTime() - 1), zone), addDays(date, -1), zone);
      const hours = (start.getTime() - last.getTime()) / 3_600_000;
      assert.ok(hours >= 23 && hours <= 25, `${zone} ${date} ${hours}`);
      last = start;
    }
  }
});

test('handles days of 23 and 25 hours, a day that starts at 01:00, and a skipped day', () => {
  const countHours = (date: string, zone: string) =>
    (startOfDay(addDays(date, 1), zone).getTime() - startOfDay(date, zone).getTime()) / 3_600_000;
  assert.deepEqual([countHours('2026-03-29', 'Europe/Berlin'), countHours('2026-10-25', 'Europe/Berlin')], [23, 25]);
  assert.deepEqual([countHours('2026-03-08', 'America/New_York'), countHours('2026-11-01', 'America/New_York')], [23, 25]);
  assert.equal(startOfDay('2018-11-04', 'America/Sao_Paulo').toISOString(), '2018-11-04T03:00:00.000Z');
  assert.equal(countHours('2011-12-30', 'Pacific/Apia'), 0);
});

test('months have no gaps between them and contain their days', () => {
  for (const zone of zones) {
    for (let month = '2025-01'; month < '2027-01'; month = addMonths(month, 1).slice(0, 7)) {
      const { from, to } = monthSpan(month, zone);
      assert.deepEqual(monthSpan(addMonths(month, 1).slice(0, 7), zone).from, to);
      assert.deepEqual([localMonth(from, zone), localMonth(new Date(to.getTime() - 1), zone)], [month, month]);
    }
  }
  assert.equal(monthSpan('2026-04', 'America/New_York').from.toISOString(), '2026-04-01T04:00:00.000Z');
});
