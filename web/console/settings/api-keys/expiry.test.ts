import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRateLimit, toExpiresAt } from './expiry.ts';

test('a key expires after the chosen number of days, or never', () => {
  const now = new Date('2026-11-23T10:00:00.000Z');
  assert.equal(toExpiresAt('30', now), '2026-12-23T10:00:00.000Z');
  assert.equal(toExpiresAt('365', now), '2027-11-23T10:00:00.000Z');
  assert.equal(toExpiresAt('never', now), null);
});

test('a rate limit may be typed with separators; an empty one is the default, and text that is not a number is not sent', () => {
  assert.deepEqual([readRateLimit('1,200'), readRateLimit('1.200'), readRateLimit(' '), readRateLimit('600')], [1200, 1200, null, 600]);
  assert.ok(Number.isNaN(readRateLimit('many')) && Number.isNaN(readRateLimit('-5')));
});
