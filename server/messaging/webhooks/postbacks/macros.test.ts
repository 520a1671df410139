// No URL of a postback can make its macros choose where the request goes, and no value can leave its place.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expand, findTemplateFault, hostOf, macroNames, macros } from './macros.ts';

const withSub = (sub1: string) => ({ ...macros, sub1 });

describe('a macro', () => {
  test('may be in the path or the query, never where it could choose the host', () => {
    const hostile = [
      'https://{sub1}/',
      'https://a.example@{sub1}/',
      'https://{sub1}@a.example/',
      'https://{sub1}.a.example/',
      'https://a.example:{sub1}/',
      'https://a.example{sub1}/',
      '{sub1}://a.example/',
      '{sub1}',
      'https:{sub1}',
      'https:/{sub1}/',
      'https:\\\\{sub1}\\',
      'https://a.example\\@{sub1}/',
      'https://a.example\\{sub1}',
      'https:///{sub1}/',
      'https:////{sub1}/',
      'https://a.example#{sub1}',
      'https://a.example/#{sub1}',
      'https://user:{sub1}@a.example/',
      'https://user@a.example/{sub1}',
      'https://a.example\t{sub1}/',
      'https://a.example/{sub1}\n',
      'https://a.example/\u0000{sub1}',
      ' https://{sub1}/',
      'ftp://a.example/{sub1}',
      'javascript:alert({sub1})',
      '//a.example/{sub1}',
    ];
    for (const template of hostile) assert.notEqual(findTemplateFault(template), null, template);
    for (const template of ['https://a.example/{sub1}', 'https://a.example?c={sub1}', 'https://a.example/x/{sub1}/?{sub2}={amount}'])
      assert.equal(findTemplateFault(template), null, template);
  });

  test('must be known; the message names the others', () => {
    assert.equal(
      findTemplateFault('https://a.example/{sub1}?o={order_id}&e={email}&n={SUB1}'),
      'must not contain unknown macros: {order_id}, {email}, {SUB1}',
    );
    for (const text of ['{', '}', '{{sub1}}', '{sub1', 'sub1}', '{}', '{__proto__}', '{constructor}', '{toString}'])
      assert.notEqual(findTemplateFault(`https://a.example/?a=${text}`), null, text);
  });

  test('keeps a URL within its limits', () => {
    const template = (length: number) => `https://a.example/${'x'.repeat(length - 18)}`;
    assert.deepEqual([findTemplateFault(template(2048)), findTemplateFault(template(2049)) === null], [null, false]);
    assert.notEqual(findTemplateFault(`https://a.example/?${'{sub1}'.repeat(31)}`), null);
  });

  test('is replaced by a value that cannot leave its place, whatever a visitor adds to a link', () => {
    const values = [
      '&payout=999',
      '#',
      '?x=1',
      '/../../admin',
      '../..',
      '..',
      '.',
      '%2e%2e',
      '@evil.example',
      'evil.example/',
      '\r\nHost: evil.example',
      '\u0000',
      '\'"><script>',
      '{sub2}',
      '{click_id}',
      '$&$1',
      '\ud800',
      'ü 💡',
      '+a b',
    ];
    for (const value of values) {
      const url = new URL(expand('https://a.example/x/{sub1}/y?sub={sub1}&z=1', withSub(value)));
      assert.deepEqual([url.origin, url.hash, url.searchParams.size], ['https://a.example', '', 2], value);
      assert.equal(url.searchParams.get('sub'), value.toWellFormed());
      assert.match(url.pathname, /^\/x\/[^/]*\/y$/, value);
    }
  });

  test('takes dots out of a path, so that no value climbs in it', () => {
    const url = new URL(expand('https://a.example/x/{sub1}{sub2}/y', { ...withSub('.'), sub2: '.' }));
    assert.equal(url.pathname, '/x//y');
  });

  test('has no value of a buyer, the order or another affiliate', () => {
    for (const name of ['order_id', 'email', 'customer_id', 'sale_amount', 'affiliate_id', 'name', 'ip'])
      assert.ok(!macroNames.some((known) => known === name));
  });

  test('is not in what the program sees', () => {
    assert.equal(hostOf('https://a.example:8443/secret/{sub1}?token=x'), 'a.example:8443');
  });
});
