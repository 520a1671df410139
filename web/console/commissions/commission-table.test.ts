// The URL of the list is translated into the query of the API; unknown values never reach it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSearch, stringifySearch } from '../../url/url-state.ts';
import { commissionTable, readPlace, statusesOf } from './commission-table.ts';

test('the list of commissions is read from the URL as it was written', () => {
  const text = '?kind=bonus&kind=lead&from=2026-11-01&to=2026-11-30&maturesFrom=2026-12-01&sort=maturesAt&page=1&size=25';
  assert.deepEqual(parseSearch(stringifySearch(commissionTable.toPatch(commissionTable.read(parseSearch(text))))), parseSearch(text));
});

test('unknown values are dropped', () => {
  const raw = parseSearch('?view=lost&kind=gift&sort=name&sheet=other&commission=');
  const { filters, sort } = commissionTable.read(raw);
  assert.deepEqual([filters, sort, readPlace(raw).view, readPlace(raw).isGranting], [{}, '-createdAt', 'all', false]);
});

test('rejected commissions are in the view of the reversed ones', () => {
  assert.deepEqual([statusesOf('all'), statusesOf('held'), statusesOf('reversed')], [undefined, ['held'], ['reversed', 'rejected']]);
});
