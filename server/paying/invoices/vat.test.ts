// The case of VAT by where both parties are, and the VAT in an amount.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { calculateVat, decideVat, isInEu, vatIdPrefix } from './vat.ts';

const german = { country: 'DE', vatRatePercent: 19 };
const rows: [issuer: Parameters<typeof decideVat>[0], country: string, isSmallBusiness: boolean, vatCase: string, rate: number][] = [
  [german, 'DE', false, 'domestic', 19],
  [german, 'DE', true, 'small_business', 0],
  [german, 'FR', false, 'reverse_charge', 0],
  [german, 'FR', true, 'reverse_charge', 0],
  [german, 'GR', false, 'reverse_charge', 0],
  [german, 'CH', false, 'outside_eu', 0],
  [german, 'GB', true, 'outside_eu', 0],
  [german, 'XI', false, 'outside_eu', 0],
  [{ country: 'US', vatRatePercent: null }, 'US', false, 'outside_eu', 0],
  [{ country: 'US', vatRatePercent: null }, 'DE', false, 'outside_eu', 0],
  [{ country: 'GB', vatRatePercent: 20 }, 'GB', false, 'domestic', 20],
];

describe('VAT', () => {
  for (const [issuer, country, isSmallBusiness, vatCase, vatRatePercent] of rows) {
    test(`from ${issuer.country} for ${isSmallBusiness ? 'a small business' : 'an affiliate'} in ${country}: ${vatCase}`, () => {
      assert.deepEqual(decideVat(issuer, { country, isSmallBusiness }), { vatCase, vatRatePercent });
    });
  }

  test('is included in the amount, rounded half up to the cent, for every amount and rate', () => {
    for (const [
      cents,
      rate,
      vat,
    ] of [[11_900, 19, 1900], [1, 19, 0], [3, 20, 1], [9, 20, 2], [99_999_999_999, 25.5, 20_318_725_099]] as const) // biome-ignore format: a row
      assert.equal(calculateVat(cents, rate), vat, `${cents} ${rate}`);
    for (let cents = 1; cents < 5000; cents += 1) {
      const vat = calculateVat(cents, 7.7);
      // Exactly: |vat × 107.7 − cents × 7.7| is at most half a cent.
      assert.ok(Math.abs(vat * 1077 - cents * 77) * 2 <= 1077, String(cents));
    }
  });

  test('knows the member states and the prefix of their VAT ids', () => {
    assert.deepEqual([isInEu('GR'), isInEu('XI'), isInEu('CH'), vatIdPrefix('GR'), vatIdPrefix('AT')], [true, false, false, 'EL', 'AT']);
  });
});
