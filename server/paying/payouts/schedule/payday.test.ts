// Paydays: their days, what moves them, and which one is due.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findPaydays, type PaydayRule } from './payday.ts';

const rule: PaydayRule = {
  frequency: 'monthly',
  dayOfMonth: 1,
  dayOfWeek: 1,
  hour: 9,
  shift: 'none',
  holidays: [],
  timezone: 'America/New_York',
};
const epoch = new Date(0);
const at = (text: string) => new Date(text);

/** The next paydays after a time, one after the other. */
function listNext(given: Partial<PaydayRule>, from: string, count: number) {
  const paydays = [];
  let now = at(from);
  for (let index = 0; index < count; index += 1) {
    const { next } = findPaydays({ ...rule, ...given }, { now, after: epoch, ran: new Set() });
    paydays.push(next);
    now = next.startsAt;
  }
  return paydays;
}

const daysOf = (given: Partial<PaydayRule>, from: string, count: number) => listNext(given, from, count).map(({ payOn }) => payOn);

describe('the days of paydays', () => {
  test('are the last day of months that are too short', () => {
    const days = daysOf({ dayOfMonth: 31 }, '2027-12-31T20:00:00Z', 5);
    assert.deepEqual(days, ['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30', '2028-05-31']);
  });

  test('are the same weekday every week, with the ISO week as period', () => {
    const weeks = listNext({ frequency: 'weekly', dayOfWeek: 5 }, '2026-12-20T00:00:00Z', 3);
    assert.deepEqual(
      weeks.map(({ payOn, period }) => [payOn, period]),
      [
        ['2026-12-25', '2026-W52'],
        ['2027-01-01', '2026-W53'],
        ['2027-01-08', '2027-W01'],
      ],
    );
  });

  test('move from weekends and holidays to the last workday before, the first one after, or not at all', () => {
    // 1 August 2026 is a Saturday; the Friday before and the Monday after are holidays.
    const holidays = ['2026-07-31', '2026-08-03'];
    const from = '2026-07-20T00:00:00Z';
    assert.deepEqual(daysOf({ shift: 'before', holidays }, from, 1), ['2026-07-30']);
    assert.deepEqual(daysOf({ shift: 'after', holidays }, from, 1), ['2026-08-04']);
    assert.deepEqual(daysOf({ shift: 'none', holidays }, from, 1), ['2026-08-01']);
  });

  test('keep their period when they move into another month', () => {
    const [first] = listNext({ shift: 'before' }, '2026-07-20T00:00:00Z', 1);
    assert.deepEqual([first?.payOn, first?.period], ['2026-07-31', '2026-08']);
  });

  test('have the same local hour before and after a change to daylight saving time', () => {
    const times = listNext({ dayOfMonth: 1, hour: 9 }, '2026-02-10T00:00:00Z', 2).map(({ startsAt }) => startsAt.toISOString());
    assert.deepEqual(times, ['2026-03-01T14:00:00.000Z', '2026-04-01T13:00:00.000Z']);
  });

  test('have the next hour where daylight saving time skips theirs, and the first one where it comes twice', () => {
    const given = { frequency: 'weekly' as const, dayOfWeek: 7, hour: 2, timezone: 'Europe/Berlin' };
    assert.deepEqual(
      ['2026-03-28T00:00:00Z', '2026-10-24T00:00:00Z'].map((from) => listNext(given, from, 1)[0]?.startsAt.toISOString()),
      ['2026-03-29T01:00:00.000Z', '2026-10-25T00:00:00.000Z'],
    );
  });
});

describe('the payday that is due', () => {
  const dueAt = (now: string, { after = epoch, ran = [] as string[], given = {} as Partial<PaydayRule> } = {}) =>
    findPaydays({ ...rule, ...given }, { now: at(now), after, ran: new Set(ran) }).due?.period ?? null;

  test('is the last one that has come, to the minute, until its period has run', () => {
    assert.equal(dueAt('2026-06-01T12:59:59Z'), '2026-05');
    assert.equal(dueAt('2026-06-01T13:00:00Z'), '2026-06');
    assert.equal(dueAt('2026-08-20T00:00:00Z'), '2026-08', 'those before were missed, too');
    assert.equal(dueAt('2026-08-20T00:00:00Z', { ran: ['2026-08'] }), null, 'they are not caught up one by one');
  });

  test('is none that came before the schedule was activated', () => {
    assert.equal(dueAt('2026-06-20T00:00:00Z', { after: at('2026-06-01T13:00:00Z') }), null);
    assert.equal(dueAt('2026-06-20T00:00:00Z', { after: at('2026-06-01T12:59:00Z') }), '2026-06');
  });

  test('is not followed by a second one in the same period after the day was changed', () => {
    const changed = { given: { dayOfMonth: 15 }, ran: ['2026-06'], after: at('2026-06-05T00:00:00Z') };
    assert.equal(dueAt('2026-06-16T00:00:00Z', changed), null);
    const { next } = findPaydays({ ...rule, dayOfMonth: 15 }, { now: at('2026-06-05T00:00:00Z'), after: epoch, ran: new Set(['2026-06']) });
    assert.equal(next.period, '2026-07');
  });

  test('is the later one of two that holidays moved to the same day', () => {
    const given = {
      frequency: 'weekly' as const,
      shift: 'after' as const,
      holidays: ['2026-12-21', '2026-12-22', '2026-12-23', '2026-12-24', '2026-12-25', '2026-12-28'],
    };
    assert.equal(dueAt('2026-12-29T20:00:00Z', { given }), '2026-W53');
    assert.equal(dueAt('2026-12-29T20:00:00Z', { given, ran: ['2026-W53'] }), null);
  });
});
