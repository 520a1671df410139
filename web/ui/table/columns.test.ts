import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  fitColumns,
  moveColumn,
  nextSort,
  orderedColumns,
  resizeColumn,
  sortOf,
  toggleColumn,
  visibleColumns,
  widthOf,
} from './columns.ts';
import { type Column, defaultLayout } from './table-types.ts';

const column = (id: string, more: Partial<Column<object>> = {}): Column<object> => ({
  id,
  header: id,
  width: 100,
  cell: () => null,
  ...more,
});
const columns = [
  column('name', { sort: 'name' }),
  column('status'),
  column('sales', { sort: 'salesCents', sortFirst: 'descending' }),
  column('code', { isHiddenAtFirst: true }),
];
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).join(' ');

describe('columns', () => {
  test('follow the order of the user; new ones come after, unknown ones are ignored, the first stays first', () => {
    assert.equal(ids(orderedColumns(columns, { ...defaultLayout, order: ['gone', 'sales', 'name'] })), 'name sales status code');
  });

  test('that start hidden appear when they are chosen, and the first cannot be hidden', () => {
    assert.equal(ids(visibleColumns(columns, defaultLayout)), 'name status sales');
    assert.equal(ids(visibleColumns(columns, toggleColumn(columns, defaultLayout, 'code'))), 'name status sales code');
    assert.equal(ids(visibleColumns(columns, toggleColumn(columns, defaultLayout, 'name'))), 'name status sales');
  });

  test('move by one place, but not before the first', () => {
    assert.equal(ids(orderedColumns(columns, moveColumn(columns, defaultLayout, 'sales', -1))), 'name sales status code');
    assert.equal(moveColumn(columns, defaultLayout, 'status', -1), defaultLayout);
    assert.equal(moveColumn(columns, defaultLayout, 'code', 1), defaultLayout);
  });

  test('have a width within limits', () => {
    const [name] = columns;
    assert.ok(name);
    assert.equal(widthOf(name, resizeColumn(defaultLayout, 'name', 20)), 72);
    assert.equal(widthOf(name, resizeColumn(defaultLayout, 'name', 240.4)), 240);
  });

  test('sort in their first direction, then the other, then not', () => {
    const [name, status, sales] = columns;
    assert.ok(name && status && sales);
    assert.deepEqual([nextSort(name, null), nextSort(name, 'name'), nextSort(name, '-name')], ['name', '-name', null]);
    assert.deepEqual(
      [nextSort(sales, 'name'), nextSort(sales, '-salesCents'), nextSort(sales, 'salesCents')],
      ['-salesCents', 'salesCents', null],
    );
    assert.equal(nextSort(status, '-salesCents'), '-salesCents');
    assert.deepEqual(
      [sortOf(sales, '-salesCents'), sortOf(name, '-salesCents'), sortOf(status, null)],
      ['descending', undefined, undefined],
    );
  });

  test('that do not fit give up their place in the order of their ranks, and those without one never do', () => {
    const narrow = [
      column('order'),
      column('affiliate', { narrow: { rank: 3, below: 'order', width: 150 } }),
      column('kind', { narrow: { rank: 1 } }),
      column('amount', { width: 120 }),
      column('refunded', { narrow: { rank: 2, below: 'amount' } }),
    ];
    const fit = (available: number) =>
      fitColumns(narrow, { available, widthOf: ({ width }) => width }).map(
        ({ column: { id }, width, below }) => `${[id, ...below.map((each) => each.id)].join('+')} ${width}`,
      );
    assert.deepEqual(fit(520), ['order 100', 'affiliate 100', 'kind 100', 'amount 120', 'refunded 100']);
    assert.deepEqual(fit(519), ['order 100', 'affiliate 100', 'amount 120', 'refunded 100']);
    assert.deepEqual(fit(400), ['order 100', 'affiliate 100', 'amount+refunded 120']);
    assert.deepEqual(fit(319), ['order+affiliate 150', 'amount+refunded 120']);
    assert.deepEqual(fit(100), ['order+affiliate 150', 'amount+refunded 120']);
  });
});
