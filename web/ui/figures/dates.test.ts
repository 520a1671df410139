import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatDate, formatDateTime, formatDay, formatNear, nameOfZone } from './dates.ts';

const newYork = { language: 'en', timezone: 'America/New_York' } as const;
const berlin = { language: 'de', timezone: 'Europe/Berlin' } as const;
const now = Date.parse('2026-11-21T19:00:00Z');

describe('times', () => {
  test('near now are relative, others have a date', () => {
    assert.equal(formatNear('2026-11-21T17:00:00Z', now, newYork), '2 hours ago');
    assert.equal(formatNear('2026-11-21T18:59:40Z', now, newYork), 'now');
    assert.equal(formatNear('2026-12-03T10:00:00Z', now, newYork), 'in 12 days');
    assert.equal(formatNear('2026-12-21T19:02:00Z', now, newYork), '21 Dec, 14:02');
    assert.equal(formatNear('2026-11-20T22:00:00Z', now, berlin), 'gestern');
  });

  test('follow the time zone', () => {
    assert.equal(formatDateTime('2026-12-21T02:02:00Z', newYork), '20 Dec 2026, 21:02');
    assert.equal(formatDateTime('2026-12-21T02:02:00Z', berlin), '21. Dez. 2026, 03:02');
  });

  test('leave out the current year only when the present is known', () => {
    assert.equal(formatDate('2026-09-05T12:00:00Z', newYork, now), '5 Sep');
    assert.equal(formatDate('2025-09-05T12:00:00Z', newYork, now), '5 Sep 2025');
  });
});

describe('days', () => {
  test('are the same in every time zone', () => {
    assert.equal(formatDay('2026-12-21', 'en'), '21 Dec 2026');
    assert.equal(formatDay('2026-12-21', 'de', now), '21. Dez.');
  });

  test('name their zone by its city', () => {
    assert.deepEqual(['America/New_York', 'UTC'].map(nameOfZone), ['New York', 'UTC']);
  });
});
