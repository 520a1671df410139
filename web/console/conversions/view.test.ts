// The URL of the list is read into what the API is asked for, and unknown values never reach it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSearch, stringifySearch } from '../../url/url-state.ts';
import { readList, startOfDay, toFilters, toPatch, toUnattributedFilters } from './view.ts';

const read = (text: string) => readList(parseSearch(text));

describe('the list of conversions in the URL', () => {
  test('comes back as it was written', () => {
    const text =
      '?search=ada&status=held&status=paid&method=coupon&conflict=true&amountMinCents=100&from=2026-11-01&to=2026-11-30&sort=amountCents&page=2&rows=25';
    const { view } = read(text);
    assert.deepEqual(parseSearch(stringifySearch(toPatch(view))), parseSearch(text));
  });

  test('drops what it does not know', () => {
    const { tab, view } = read('?view=everything&status=lost&sort=name&page=-1&rows=7&from=soon');
    assert.deepEqual([tab, view.filters, view.sort, view.page, view.pageSize], ['all', {}, '-createdAt', 0, 50]);
  });

  test('a tab is a separate filter', () => {
    assert.deepEqual(toFilters(read('?view=held&status=paid'), 'UTC').status, ['held']);
    assert.equal(toFilters(read('?view=none'), 'UTC').commission, 'none');
    assert.deepEqual(toUnattributedFilters(read('?view=unattributed&reason=unknown'), 'UTC').reason, ['unknown']);
  });

  test('days are those of the program, also when the clocks change', () => {
    assert.equal(startOfDay('2026-03-29', 'Europe/Berlin'), '2026-03-28T23:00:00.000Z');
    assert.equal(startOfDay('2026-03-30', 'Europe/Berlin'), '2026-03-29T22:00:00.000Z');
    assert.equal(startOfDay('2026-11-02', 'America/New_York'), '2026-11-02T05:00:00.000Z');
    const { occurredFrom, occurredTo } = toFilters(read('?from=2026-11-01&to=2026-11-01'), 'America/New_York');
    assert.deepEqual([occurredFrom, occurredTo], ['2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z']);
  });
});
