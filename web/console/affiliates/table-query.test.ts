import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSearch } from '../../url/url-state.ts';
import { startOfDay } from './start-of-day.ts';
import { readView, toFilter, toPatch } from './table-query.ts';

const query =
  '?status=active&status=pending&salesCentsMin=100&createdFrom=2026-03-01&createdTo=2026-03-01&hasPayoutDetails=false&sort=-name&page=2&search=ada';

describe('the state of the table in the URL', () => {
  test('is read and written without a loss', () => {
    const view = readView(parseSearch(query));
    const written = Object.fromEntries(Object.entries(toPatch(view)).filter(([, value]) => value !== null));
    assert.deepEqual(written, {
      search: 'ada',
      sort: '-name',
      page: '2',
      status: ['active', 'pending'],
      hasPayoutDetails: ['false'],
      createdFrom: '2026-03-01',
      createdTo: '2026-03-01',
      salesCentsMin: '100',
    });
  });

  test('becomes a filter of the API, whose days are those of the program', () => {
    assert.deepEqual(toFilter(readView(parseSearch(query)), 'America/New_York'), {
      search: 'ada',
      status: ['active', 'pending'],
      hasPayoutDetails: 'false',
      createdFrom: '2026-03-01T05:00:00.000Z',
      createdTo: '2026-03-02T05:00:00.000Z',
      salesCentsMin: '100',
    });
  });

  test('ignores a page size that is not offered', () => {
    assert.equal(readView(parseSearch('?size=7')).pageSize, 50);
  });
});

test('a day starts at its midnight, also on the day on which clocks change', () => {
  assert.equal(startOfDay('2026-03-29', 'Europe/Berlin'), '2026-03-28T23:00:00.000Z');
  assert.equal(startOfDay('2026-03-29', 'Europe/Berlin', 1), '2026-03-29T22:00:00.000Z');
  assert.equal(startOfDay('2026-11-01', 'America/New_York'), '2026-11-01T04:00:00.000Z');
});
