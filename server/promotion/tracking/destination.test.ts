import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addClickParameters, buildDestinations, parseDeepLink } from './destination.ts';

const allowed = buildDestinations('https://brand.example/home', ['shop.example', 'xn--bcher-kva.example']);

describe('a deep link', () => {
  test('is allowed to the website and to allowed hosts', () => {
    for (const [requested, expected] of [
      ['https://brand.example/tea?a=1#b', 'https://brand.example/tea?a=1#b'],
      ['http://shop.example', 'http://shop.example/'],
      ['HTTPS://SHOP.EXAMPLE/Tea', 'https://shop.example/Tea'],
      ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
      [' https://shop.example/x ', 'https://shop.example/x'],
    ] as const)
      assert.equal(parseDeepLink(requested, allowed), expected, requested);
  });

  const hosts = [
    'evil.example',
    'brand.example.evil.example',
    'evilbrand.example',
    'evil.example#brand.example',
    'evil.example/brand.example',
  ];
  const odd = hosts.flatMap((host) => [
    `https://${host}`,
    `http://${host}/`,
    `//${host}`,
    `https:\\\\${host}`,
    `https:/\\${host}`,
    `https:${host}`,
    `/\\${host}`,
    `https://brand.example@${host}`,
    `https://brand.example:pw@${host}`,
    `https://${host}?https://brand.example`,
    `\thttps://${host}`,
    `ht\ntps://${host}`,
    `https://brand.example.${host}`,
    `https://brand.example%2F@${host}`,
  ]);
  const others = [
    'javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'java\tscript:alert(1)', 'data:text/html,<script>1</script>', 'vbscript:x', 'file:///etc/passwd',
    'ftp://brand.example/', 'blob:https://brand.example/x', 'about:blank', 'ws://brand.example', 'intent://brand.example#Intent;end', 'mailto:a@brand.example',
    'https://user@brand.example/', 'https://:pw@brand.example/', 'https://brand.example.', 'https://brand.example:8443/', 'https://shop.example:8080/', 'https://sub.brand.example/',
    'https://brand.example\u2024evil.example', 'https://evil\u3002example', 'https://br\u0430nd.example', 'https://[::1]/', 'https://127.0.0.1/', 'https://2130706433/',
    '', ' ', '/', '/tea', 'brand.example', 'https://', 'https:///', '%', '\0', `https://brand.example/${'x'.repeat(2048)}`, 'https://brand.example%00.evil.example', 'https://ev\u00adil.example',
  ]; // biome-ignore format: a list

  test(`is not followed toLikePattern else (${odd.length + others.length} ways to try)`, () => {
    assert.ok(odd.length + others.length >= 100);
    for (const requested of [...odd, ...others]) assert.equal(parseDeepLink(requested, allowed), null, JSON.stringify(requested));
    for (const requested of [undefined, null, 7, ['https://brand.example'], {}]) assert.equal(parseDeepLink(requested, allowed), null);
  });

  test('is not allowed when the program has no website and no allowed hosts', () => {
    const none = buildDestinations(null, []);
    assert.equal(none.website, null);
    assert.equal(parseDeepLink('https://brand.example/', none), null);
  });
});

test('the click parameters are added to the query and replace forged ones', () => {
  const parameters = { clickId: 'C', referralCode: 'R' };
  for (const [url, expected] of [
    ['https://b.example/', 'https://b.example/?trb_click=C&ref=R'],
    ['https://b.example/?a=1&b=%2F+x', 'https://b.example/?a=1&b=%2F+x&trb_click=C&ref=R'],
    ['https://b.example/p#top', 'https://b.example/p?trb_click=C&ref=R#top'],
    ['https://b.example/?trb_click=forged&ref=MALLORY&x=1', 'https://b.example/?x=1&trb_click=C&ref=R'],
    ['https://b.example/?trb%5Fclick=forged&%72ef=M', 'https://b.example/?trb_click=C&ref=R'],
    ['https://b.example/?referrer=kept&ref2=kept', 'https://b.example/?referrer=kept&ref2=kept&trb_click=C&ref=R'],
  ] as const)
    assert.equal(addClickParameters(url, parameters), expected);
  assert.equal(addClickParameters('https://b.example/', { clickId: null, referralCode: 'R' }), 'https://b.example/?ref=R');
});
