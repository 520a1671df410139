import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import currencyCodes from 'currency-codes';
import fc from 'fast-check';
import { formatMoney } from '../../figures/format.ts';
import { editableMoney, findMoneyFault, parseMoney } from './money-text.ts';

/** The currencies of ISO 4217 without metals and units of account, from another source than the product's. */
const iso = currencyCodes.data.filter(({ code }) => !/^X(A[GU]|[BDSTUX]|P[DT])/.test(code));

describe('typed amounts', () => {
  test('that are typed come back as the same number of cents, in both languages', () => {
    const currencies = fc.constantFrom(...iso.map(({ code }) => code));
    const languages = fc.constantFrom('en' as const, 'de' as const);
    fc.assert(
      fc.property(fc.integer({ min: -1e11, max: 1e11 }), currencies, languages, (cents, currency, language) => {
        assert.equal(parseMoney(editableMoney(cents, currency, language), currency, language), cents + 0);
        assert.equal(parseMoney(formatMoney(cents, currency, language), currency, language), cents + 0);
      }),
    );
  });

  test('that are not amounts are rejected, not guessed', () => {
    for (const text of ['abc', '1.234', '12.345.6', '1e5', '--5', '.']) assert.ok(Number.isNaN(parseMoney(text, 'USD', 'en')), text);
    assert.equal(parseMoney('  ', 'USD', 'en'), null);
    assert.equal(parseMoney('1,234.5', 'USD', 'en'), 123450);
    assert.equal(parseMoney('12.', 'USD', 'en'), 1200);
    assert.equal(parseMoney('1.234,5', 'EUR', 'de'), 123450);
  });

  test('with misplaced separators are rejected, not read as a hundred times as much', () => {
    for (const text of ['12,50', '1,2', '1,23,456', '1234,567', ',123', '1.234,56', '1,2345'])
      assert.ok(Number.isNaN(parseMoney(text, 'EUR', 'en')), text);
    for (const text of ['12.50', '1.2', '1.23.456', '1234.567', '.123', '1,234.56', '1.2345'])
      assert.ok(Number.isNaN(parseMoney(text, 'EUR', 'de')), text);
    assert.equal(parseMoney('1,234,567.8', 'EUR', 'en'), 123_456_780);
    assert.equal(parseMoney('1.234.567,8', 'EUR', 'de'), 123_456_780);
  });

  test('of every currency are entered in its own unit, and more decimals than it has are rejected with the reason', () => {
    const faults = iso.flatMap(({ code, digits }) => {
      const decimals = (count: number) => (count === 0 ? '' : `.${'1234567'.slice(0, count)}`);
      const read = parseMoney(`1,234${decimals(digits)}`, code, 'en');
      const isRead = read === Number(`1234${decimals(digits).slice(1)}`);
      const reason = findMoneyFault(`1,234${decimals(digits + 1)}`, code, 'en');
      return isRead && reason === 'decimals' ? [] : [`${code}: ${read} ${reason}`];
    });
    assert.deepEqual(faults, []);
    assert.deepEqual(
      [parseMoney('500', 'JPY', 'en'), parseMoney('1.234', 'BHD', 'en'), parseMoney('1,234', 'BHD', 'de')],
      [500, 1234, 1234],
    );
  });

  test('that are not exact as numbers are rejected', () => {
    assert.equal(parseMoney('999999999999', 'EUR', 'en'), 99_999_999_999_900);
    assert.equal(findMoneyFault('999999999999.1234', 'CLF', 'en'), 'invalid');
  });

  test('that may continue with a group of three digits are incomplete', () => {
    assert.deepEqual(
      ['1,', '1,2', '12,34', '1,234,5'].map((text) => findMoneyFault(text, 'USD', 'en')),
      Array(4).fill('incomplete'),
    );
    assert.deepEqual(
      ['1,2.5', '1234,5', '1,2345'].map((text) => findMoneyFault(text, 'USD', 'en')),
      Array(3).fill('invalid'),
    );
    assert.equal(findMoneyFault('1.2', 'EUR', 'de'), 'incomplete');
    assert.equal(findMoneyFault('', 'EUR', 'de'), null);
  });
});
