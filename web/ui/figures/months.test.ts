import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listMonths } from './months.ts';

test('the months of statements go back from the current one across the year', () => {
  const months = listMonths(new Date('2026-02-28T12:00:00Z'), 'en');
  assert.deepEqual(months.slice(0, 3), [
    { value: '2026-02', label: 'February 2026' },
    { value: '2026-01', label: 'January 2026' },
    { value: '2025-12', label: 'December 2025' },
  ]);
});
