import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toNetworks } from './networks.ts';

describe('an IPv4 address counts as one network in every form', () => {
  for (const text of [
    ...['192.0.2.33', '192.0.2.33:443', '::ffff:192.0.2.33', '[::ffff:c000:221]:443', '::192.0.2.33'],
    ...['2002:c000:221::', '2002:c000:221:ffff::1', '2002:c000:221:1:2:3:4:5'],
    ...['64:ff9b::192.0.2.33', '64:ff9b::c000:221', '2001:0:4136:e378:8000:63bf:3fff:fdde'],
  ])
    test(text, () => assert.deepEqual(toNetworks(text), { narrow: '192.0.2.33', wide: null }));
});

test('IPv6 counts as its /64 and its /48', () => {
  for (const text of ['2001:db8:1:2::1', '2001:0db8:0001:0002:ffff::9', '[2001:db8:1:2::1]:443', '2001:db8:1:2::1%eth0'])
    assert.deepEqual(toNetworks(text), { narrow: '2001:db8:1:2::/64', wide: '2001:db8:1::/48' });
});
