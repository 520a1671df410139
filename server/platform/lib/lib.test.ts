import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { deliveryKey, emailKey } from './email-address.ts';
import { html } from './html.ts';
import { canonicalUuid, randomIds } from './ids.ts';
import { isReservedSlug, pageSlugForm, vanitySlugForm } from './slug.ts';

describe('email addresses', () => {
  for (const [given, key] of [
    ['Ada@Example.COM', 'ada@example.com'],
    ['ada+tea@bücher.example', 'ada+tea@xn--bcher-kva.example'],
    ['ADA@BÜCHER.example', 'ada@xn--bcher-kva.example'],
    ['ada@XN--BCHER-KVA.example', 'ada@xn--bcher-kva.example'],
    ['ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'], // Composed and decomposed letters are the same domain.
    ['ada@\u0435xample.com', 'ada@xn--xample-2of.com'], // A Cyrillic letter is another domain.
    ["o'brien@example.co.uk", "o'brien@example.co.uk"],
    ['ada', null],
    ['@example.com', null],
    ['ada@localhost', null],
    ['ada..b@example.com', null],
    ['.ada@example.com', null],
    ['a b@example.com', null],
    ['ada@exa mple.com', null],
    ['ada@example.com>', null],
    ['ada@127.0.0.1', null],
    ['\u212a@example.com', null], // The Kelvin sign, which some databases fold to k.
    ['ada@\u212aelvin.com', null],
    ['ada@exam\u00adple.com', null], // Invisible characters,
    ['ada@exam\u200bple.com', null],
    ['ada@\uff45xample.com', null], // full-width letters,
    ['ada@ex%61mple.com', null], // and encoded ones would be compared as another address.
    ['ada@example\u3002com', null],
    ['ada@example.com.', null],
    ['ádà@example.com', null], // Local parts are ASCII.
    ['\u0430da@example.com', null],
    ['a\u0131da@example.com', null],
  ] as const) {
    test(`"${given}" is compared as ${key}`, () => assert.equal(emailKey(given), key));
  }

  for (const address of ['ada@exam\u00adple.com', 'ada@\uff45xample.com', 'ada@example\u3002com', 'Ada@Example.com'])
    test(`"${address}" of a buyer is the address that it is delivered to`, () => assert.equal(deliveryKey(address), 'ada@example.com'));
});

describe('escaping', () => {
  test('no value can open a tag or close an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const page = html`<p title="${text}">${text}</p>`.html;
        const inner = page.slice('<p title="'.length, -'</p>'.length).replace('">', '');
        assert.ok(!/[<>"']/.test(inner), page);
      }),
      { numRuns: 2000 },
    );
  });

  test('nested HTML is not escaped again, and empty values are omitted', () => {
    assert.equal(html`<ul>${[html`<li>${1}</li>`, html`<li>${'<'}</li>`]}${null}</ul>`.html, '<ul><li>1</li><li>&lt;</li></ul>');
  });
});

describe('ids, codes and slugs', () => {
  test('UUIDs increase, even within one millisecond, and have one canonical form', () => {
    const ids = Array.from({ length: 5000 }, () => randomIds.uuid());
    assert.deepEqual(ids, [...new Set(ids)].sort());
    const [id = ''] = ids;
    assert.equal(canonicalUuid(id.toUpperCase()), id);
    for (const other of [`{${id}}`, id.replaceAll('-', ''), `${id} `, '', `${id}0`]) assert.equal(canonicalUuid(other), null);
  });

  test('referral codes are eight unambiguous characters', () => {
    for (let index = 0; index < 2000; index += 1) assert.match(randomIds.referralCode(), /^[2-9A-HJKMNP-Z]{8}$/);
  });

  test('slugs accept exactly the characters of the contract', () => {
    for (const good of ['a', '-', 'ada-1', '0']) assert.ok(pageSlugForm.test(good));
    for (const bad of ['', 'A', 'ä', 'a_b', 'a/b', 'x'.repeat(65), 'a\n']) assert.ok(!pageSlugForm.test(bad), bad);
    for (const good of ['abc', 'a-b', 'x'.repeat(64)]) assert.ok(vanitySlugForm.test(good));
    for (const bad of ['ab', '-ab', 'ab-', 'a_b', 'x'.repeat(65)]) assert.ok(!vanitySlugForm.test(bad), bad);
    assert.ok(isReservedSlug('admin') && !isReservedSlug('ada'));
  });
});
