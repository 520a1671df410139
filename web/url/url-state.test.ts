import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSearch, readCount, readOne, readSome, readText, stringifySearch } from './url-state.ts';

describe('the state in the URL', () => {
  test('is written as it is read, with lists as repeated parameters', () => {
    const text = '?status=pending&status=active&search=a+b%26c&offset=50';
    assert.deepEqual(parseSearch(text), { status: ['pending', 'active'], search: 'a b&c', offset: '50' });
    assert.equal(stringifySearch(parseSearch(text)), text);
  });

  test('leaves out what is empty', () => {
    assert.equal(stringifySearch({ search: '', status: [], sort: undefined, offset: null }), '');
    assert.deepEqual(parseSearch(''), {});
  });

  test('drops values that a screen does not know', () => {
    const search = parseSearch('?status=active&status=nonsense&sort=evil&offset=-3&limit=ten&search=');
    assert.deepEqual(readSome(search, 'status', ['active', 'pending']), ['active']);
    assert.equal(readOne(search, 'sort', ['name', '-name']), undefined);
    assert.equal(readCount(search, 'offset'), undefined);
    assert.equal(readCount(search, 'limit'), undefined);
    assert.equal(readText(search, 'search'), undefined);
    assert.equal(readCount(parseSearch('?limit=100'), 'limit', 1), 100);
  });

  test('a name from Object.prototype is not a parameter', () => {
    assert.equal(readText(parseSearch('?a=1'), 'constructor'), undefined);
  });
});
