// Paging goes beyond the rows that the API skips, and back again.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nextPage, previousPage } from './pages.ts';
import type { TableView } from './table-types.ts';

const view: TableView = { search: '', filters: {}, sort: '-createdAt', page: 0, pageSize: 50, cursor: null };
const placeOf = (found: TableView | null) => found && [found.page, found.cursor];

describe('the pages of a table', () => {
  test('are found by their number up to 10,000 skipped rows, and then by the cursor of the page before', () => {
    assert.deepEqual(placeOf(nextPage({ ...view, page: 199 }, 'c200')), [200, null]);
    assert.deepEqual(placeOf(nextPage({ ...view, page: 200 }, 'c201')), [201, 'c201']);
    assert.deepEqual(placeOf(nextPage({ ...view, page: 201, cursor: 'c201' }, 'c202')), [202, 'c202']);
    assert.equal(nextPage({ ...view, page: 201, cursor: 'c201' }, null), null);
  });

  test('of a list without cursors are always found by their number', () => {
    assert.deepEqual(placeOf(nextPage({ ...view, page: 500 }, undefined)), [501, null]);
    assert.deepEqual(placeOf(previousPage({ ...view, page: 500 }, new Map())), [499, null]);
  });

  test('go back to the cursors that were seen, or to the last page with a number', () => {
    const known = new Map([[201, 'c201']]);
    assert.deepEqual(placeOf(previousPage({ ...view, page: 202, cursor: 'c202' }, known)), [201, 'c201']);
    assert.deepEqual(placeOf(previousPage({ ...view, page: 201, cursor: 'c201' }, known)), [200, null]);
    assert.deepEqual(placeOf(previousPage({ ...view, page: 240, cursor: 'c240' }, known)), [200, null]);
  });
});
