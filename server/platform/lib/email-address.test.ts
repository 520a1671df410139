import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailKey, showMixedScripts } from './email-address.ts';

test('a domain whose label mixes scripts is shown in punycode', () => {
  for (const [address, shown] of [
    ['ada@p\u0430ypal.com', 'ada@xn--pypal-4ve.com'],
    ['ada@mail.g\u03bf\u03bfgle.com', 'ada@mail.xn--ggle-0nda.com'],
    ['ada@example.com', 'ada@example.com'],
    ['ada@b\u00fccher.example', 'ada@b\u00fccher.example'],
    ['ada@\u043f\u043e\u0447\u0442\u0430.\u0440\u0444', 'ada@\u043f\u043e\u0447\u0442\u0430.\u0440\u0444'],
    ['ada@\u6771\u4eac\u30e1\u30fc\u30eb.jp', 'ada@\u6771\u4eac\u30e1\u30fc\u30eb.jp'],
  ] as const) {
    assert.equal(showMixedScripts(address), shown);
    assert.equal(emailKey(shown), emailKey(address));
  }
});
