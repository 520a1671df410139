// The URL of the list is translated into the query of the API; unknown values never reach it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSearch, stringifySearch } from '../../url/url-state.ts';
import { narrow, orderTable, readListing, unattributedTable } from './order-tables.ts';

const read = (text: string) => orderTable.read(parseSearch(text));
const filterOf = (text: string) => narrow(orderTable.toFilter(read(text), 'UTC'), readListing(parseSearch(text)));

describe('the list of conversions in the URL', () => {
  test('comes back as it was written', () => {
    const text =
      '?search=ada&status=held&status=paid&method=coupon&conflict=true&amountMinCents=100&from=2026-11-01&to=2026-11-30&sort=amountCents&page=2&size=25';
    assert.deepEqual(parseSearch(stringifySearch(orderTable.toPatch(read(text)))), parseSearch(text));
  });

  test('drops what it does not know', () => {
    const text = '?view=everything&status=lost&sort=name&page=-1&size=7&from=soon&amountMinCents=many';
    const { filters, sort, page, pageSize } = read(text);
    assert.deepEqual([readListing(parseSearch(text)).tab, filters, sort, page, pageSize], ['all', {}, '-createdAt', 0, 50]);
  });

  test('a tab is a filter', () => {
    assert.deepEqual(filterOf('?view=held&status=paid').status, ['held']);
    assert.equal(filterOf('?view=none').commission, 'none');
    const unattributed = unattributedTable.read(parseSearch('?view=unattributed&reason=unknown&sort=commissionCents'));
    const { reason, sort } = unattributedTable.toQuery(unattributed, 'UTC');
    assert.deepEqual([reason, sort], [['unknown'], '-createdAt']);
  });

  test('a link narrows it to what it names', () => {
    const { affiliateId, groupId, subId, couponId } = filterOf('?affiliateId=a&affiliateId=b&groupId=g&subId=mail');
    assert.deepEqual([affiliateId, groupId, subId, couponId], [['a', 'b'], 'g', 'mail', undefined]);
    const { device, without, link } = filterOf('?device=phone&without=country&link=ada');
    assert.deepEqual([device, without, link], ['phone', ['country'], 'ada']);
    assert.deepEqual([filterOf('?device=watch').device, filterOf('?without=price').without], [undefined, undefined]);
  });

  test('days are those of the program, even when the clocks change', () => {
    const { occurredFrom, occurredTo } = orderTable.toFilter(read('?from=2026-11-01&to=2026-11-01'), 'America/New_York');
    assert.deepEqual([occurredFrom, occurredTo], ['2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z']);
  });
});
