import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import currencyCodes from 'currency-codes';
import fc from 'fast-check';
import { editableMoney, findMoneyFault, parseMoney } from '../form/text/money-text.ts';
import { changeOf, currencyDecimals, formatAxisMoney, formatMoney, formatPercent } from './format.ts';

/** The currencies of ISO 4217 without metals and units of account, from another source than the product's. */
const iso = currencyCodes.data.filter(({ code }) => !/^X(A[GU]|[BDSTUX]|P[DT])/.test(code));

describe('amounts', () => {
  test('are written with all decimals of their currency and a typographic minus', () => {
    assert.equal(formatMoney(198020, 'USD', 'en'), '$1,980.20');
    assert.equal(formatMoney(-8420, 'USD', 'en'), '\u2212$84.20');
    assert.equal(formatMoney(5, 'USD', 'en'), '$0.05');
    assert.equal(formatMoney(1234, 'JPY', 'en'), '¥1,234');
    assert.equal(formatMoney(198020, 'EUR', 'de'), '1.980,20\u00a0€');
  });

  test('are exact up to the largest safe integer', () => {
    assert.equal(formatMoney(Number.MAX_SAFE_INTEGER, 'USD', 'en'), '$90,071,992,547,409.91');
  });

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

  test('that are no amounts are not guessed', () => {
    for (const text of ['abc', '1.234', '12.345.6', '1e5', '--5', '.']) assert.ok(Number.isNaN(parseMoney(text, 'USD', 'en')), text);
    assert.equal(parseMoney('  ', 'USD', 'en'), null);
    assert.equal(parseMoney('1,234.5', 'USD', 'en'), 123450);
    assert.equal(parseMoney('12.', 'USD', 'en'), 1200);
    assert.equal(parseMoney('1.234,5', 'EUR', 'de'), 123450);
  });

  test('with separators in other places than the language has them are not read as a hundred times as much', () => {
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

  test('that may go on with a group of three digits are incomplete', () => {
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

  test('on an axis are short', () => {
    assert.equal(formatAxisMoney(180000, 'USD', 'en'), '$1.8k');
    assert.equal(formatAxisMoney(50000, 'USD', 'en'), '$500');
    assert.equal(formatAxisMoney(0, 'USD', 'en'), '$0');
  });

  test('have the decimals of their currency', () => {
    assert.deepEqual(['USD', 'JPY', 'KWD', 'HUF', 'IQD'].map(currencyDecimals), [2, 0, 3, 2, 3]);
    const faults = iso.flatMap(({ code, digits }) => {
      const [shown] = /[\d,.]*\d(?!\D*\d)/.exec(formatMoney(1_234_567, code, 'en')) ?? [];
      const [, decimals = ''] = (shown ?? '').split('.');
      const isRight = shown?.replace(/[,.]/g, '') === '1234567' && decimals.length === digits;
      return isRight && parseMoney(shown, code, 'en') === 1_234_567 ? [] : [`${code}: ${shown}`];
    });
    assert.deepEqual(faults, []);
  });

  test('of at least a thousand have an axis label in their own unit', () => {
    assert.equal(formatAxisMoney(180000, 'HUF', 'en'), 'HUF\u00a01.8k');
    assert.equal(formatAxisMoney(1800000, 'IQD', 'en'), 'IQD\u00a01.8k');
  });
});

describe('percentages', () => {
  test('keep the decimals of a rate', () => {
    assert.equal(formatPercent(12.5, 'en'), '12.5%');
    assert.equal(formatPercent(7.1234, 'en'), '7.1234%');
    assert.equal(formatPercent(12.5, 'de'), '12,5\u00a0%');
  });

  test('of a change have one decimal, and are omitted below a base of 20', () => {
    assert.deepEqual(changeOf(1118, 1000), { direction: 'more', percent: 11.8 });
    assert.deepEqual(changeOf(900, 1000), { direction: 'less', percent: 10 });
    assert.deepEqual(changeOf(1000, 1000), { direction: 'same', percent: 0 });
    assert.equal(changeOf(40, 19), null);
    assert.equal(changeOf(40, 0), null);
  });
});
