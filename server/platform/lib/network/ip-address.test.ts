import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBlockCheck, createRangeCheck, parseIpAddress, parseIpRange } from './ip-address.ts';

test('addresses are parsed with ports, brackets and zones; other text is null', () => {
  for (const text of ['', 'unknown', 'one', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.4 ', ':::', '[1.2.3.4', '_hidden'])
    assert.equal(parseIpAddress(text), null, text);
  for (const text of ['1.2.3.4', '::1', '[::1]:80', '1.2.3.4:80']) assert.notEqual(parseIpAddress(text), null, text);
});

test('a blocked IPv4 range also blocks addresses that embed it; a trusted range does not trust them', () => {
  assert.equal(createBlockCheck(['192.0.2.0/24'])('2002:c000:221::1'), true);
  assert.equal(createBlockCheck(['2002::/16'])('2002:c000:221::1'), true);
  assert.equal(createRangeCheck(['192.0.2.0/24'])('2002:c000:221::1'), false);
  assert.equal(createRangeCheck(['192.0.2.0/24'])('::ffff:192.0.2.33'), true);
});

test('ranges have one canonical form; other text is null', () => {
  for (const [text, range] of [
    ['203.0.113.0/24', '203.0.113.0/24'],
    [' 192.0.2.1 ', '192.0.2.1'],
    ['2001:DB8:0::/032', '2001:db8::/32'],
    ...['', '1.2.3', '1.2.3.4/33', '::1/129', 'fe80::1%eth0', '0x7f.1', '1.2.3.4/8/8'].map((wrong) => [wrong, null] as const),
  ] as const)
    assert.equal(parseIpRange(text), range, text);
});
