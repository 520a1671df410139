// Which clicks count as clicks of a search ad, by what is stored about them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findPaidSearch } from './paid-search.ts';

const shop = 'https://shop.example/tea';
const find = (destination: string | null, referrerHost: string | null = null, adParameter: string | null = null) =>
  findPaidSearch({ destination, referrerHost, adParameter });

describe('a click of a search ad', () => {
  for (const name of ['gclid', 'gbraid', 'wbraid', 'gad_source', 'gad_campaignid', 'msclkid', 'yclid', 'GCLID'])
    test(`is recognized by ${name}`, () => {
      assert.deepEqual(find(`${shop}?${name}=x1`), { adParameter: name.toLowerCase(), adHost: null, keyword: null });
      assert.equal(find(`${shop}?${name}=`), null);
    });

  test('is recognized by its medium and by the host of its referrer', () => {
    assert.equal(find(`${shop}?utm_medium=CPC`)?.adParameter, 'utm_medium');
    assert.equal(find(`${shop}?utm_medium=email`), null);
    for (const host of ['www.googleadservices.com', 'syndicatedsearch.goog'])
      assert.deepEqual(find(null, host), { adParameter: null, adHost: host, keyword: null });
  });

  test('is recognized by how the ad marked the link', () => {
    assert.deepEqual(find(null, null, 'msclkid'), { adParameter: 'msclkid', adHost: null, keyword: null });
  });

  test('names the keyword if the address does', () => {
    assert.equal(find(`${shop}?gclid=x1&utm_term=field+tea+coupon`)?.keyword, 'field tea coupon');
    assert.equal(find(`${shop}?gclid=x1&keyword=${'a'.repeat(300)}`)?.keyword?.length, 100);
  });

  test('is not recognized where nothing shows it', () => {
    for (const host of [null, 'www.google.com', 'www.bing.com', 'notgoogleadservices.com', 'blog.example'])
      assert.equal(find(shop, host), null);
    assert.equal(find(`${shop}?utm_term=tea&about=gclid`), null);
    assert.equal(find(`${shop}#gclid=x1`), null);
    assert.equal(find('not an address'), null);
  });
});
