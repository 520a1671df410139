import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSearch } from '../../url/url-state.ts';
import { affiliateTable } from './affiliate-table.ts';

const query =
  '?status=active&status=pending&salesCentsMin=100&createdFrom=2026-03-01&createdTo=2026-03-01&hasPayoutDetails=false&sort=-name&page=2&search=ada';

describe('the state of the table in the URL', () => {
  test('is read and written without a loss', () => {
    const view = affiliateTable.read(parseSearch(query));
    const written = Object.fromEntries(Object.entries(affiliateTable.toPatch(view)).filter(([, value]) => value?.length));
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
    assert.deepEqual(affiliateTable.toFilter(affiliateTable.read(parseSearch(query)), 'America/New_York'), {
      search: 'ada',
      status: ['active', 'pending'],
      hasPayoutDetails: false,
      createdFrom: '2026-03-01T05:00:00.000Z',
      createdTo: '2026-03-02T05:00:00.000Z',
      salesCentsMin: 100,
    });
  });

  test('ignores a page size that is not offered', () => {
    assert.equal(affiliateTable.read(parseSearch('?size=7')).pageSize, 50);
  });
});
