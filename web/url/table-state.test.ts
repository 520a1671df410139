// A table declared once is read from the URL, written back, and turned into the query of the API.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { days, flag, numbers, oneOf, someOf } from './table-filters.ts';
import { tableState } from './table-state.ts';
import { parseSearch, stringifySearch } from './url-state.ts';

const table = tableState({
  filters: {
    status: someOf('status', ['active', 'pending']),
    tags: someOf('tags'),
    bound: oneOf('isBound', ['true', 'false']),
    invited: flag('wasInvited'),
    rate: numbers('rateMin', 'rateMax'),
    created: days('createdFrom', 'createdTo', ['from', 'to']),
  },
  sorts: ['createdAt', 'name'],
  defaultSort: '-createdAt',
});
const text =
  '?search=ada&sort=name&page=2&size=100&status=active&tags=vip&tags=eu&isBound=true&wasInvited=false&rateMin=1.5&from=2026-11-01&to=2026-11-01';
const queryOf = (search: string) => table.toQuery(table.read(parseSearch(search)), 'America/New_York');

describe('the state of a table', () => {
  test('is read from the URL and written back without a loss', () => {
    assert.deepEqual(parseSearch(stringifySearch(table.toPatch(table.read(parseSearch(text))))), parseSearch(text));
  });

  test('becomes the query of the API, whose days are those of the program', () => {
    assert.deepEqual(queryOf(text), {
      search: 'ada',
      status: ['active'],
      tags: ['vip', 'eu'],
      isBound: 'true',
      wasInvited: false,
      rateMin: 1.5,
      createdFrom: '2026-11-01T04:00:00.000Z',
      createdTo: '2026-11-02T05:00:00.000Z',
      sort: 'name',
      limit: 100,
      offset: 200,
    });
  });

  test('drops what the table does not know', () => {
    const unknown = '?status=lost&wasInvited=maybe&rateMin=many&from=soon&to=2026-13-01&sort=email&size=7&page=-1&toString=x';
    assert.deepEqual(queryOf(unknown), { sort: '-createdAt', limit: 50, offset: 0 });
  });

  test('continues at a cursor, which the first page doesn’t have', () => {
    assert.deepEqual(queryOf('?page=201&cursor=abc'), { sort: '-createdAt', limit: 50, cursor: 'abc' });
    assert.deepEqual(queryOf('?cursor=abc'), { sort: '-createdAt', limit: 50, offset: 0 });
  });

  test('does not filter by both of two states', () => {
    assert.equal(queryOf('?isBound=true&isBound=false').isBound, undefined);
  });

  test('leaves the default order and page size out of the URL', () => {
    assert.equal(stringifySearch(table.toPatch(table.read({}))), '');
  });
});
