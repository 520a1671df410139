import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isSelected, pageState, selectedCount, selectRange, togglePage, toggleRow } from './selection.ts';
import { noSelection } from './table-types.ts';

const page = ['a', 'b', 'c', 'd'];

describe('a selection', () => {
  test('adds and removes single rows', () => {
    const one = toggleRow(noSelection, 'b', page);
    assert.deepEqual(one.ids, ['b']);
    assert.deepEqual(toggleRow(one, 'b', page), noSelection);
  });

  test('takes a range in both directions, and keeps what was selected', () => {
    assert.deepEqual(selectRange({ ids: ['x', 'b'], isAllMatching: false }, 'b', 'd', page).ids, ['x', 'b', 'c', 'd']);
    assert.deepEqual(selectRange(noSelection, 'c', 'a', page).ids, ['a', 'b', 'c']);
    assert.deepEqual(selectRange(noSelection, null, 'a', page).ids, ['a']);
  });

  test('of a page does not change other pages', () => {
    const all = togglePage({ ids: ['x', 'a'], isAllMatching: false }, page);
    assert.deepEqual(all.ids, ['x', 'a', 'b', 'c', 'd']);
    assert.deepEqual(togglePage(all, page).ids, ['x']);
    assert.deepEqual(
      [pageState(all, page), pageState({ ids: ['a'], isAllMatching: false }, page), pageState(noSelection, page)],
      ['all', 'some', 'none'],
    );
  });

  test('of all matching counts all, and becomes the page without one row when that is cleared', () => {
    const all = { ids: [], isAllMatching: true };
    assert.ok(isSelected(all, 'on another page'));
    assert.equal(selectedCount(all, 1240), 1240);
    assert.deepEqual(toggleRow(all, 'b', page), { ids: ['a', 'c', 'd'], isAllMatching: false });
    assert.deepEqual(togglePage(all, page), noSelection);
  });
});
