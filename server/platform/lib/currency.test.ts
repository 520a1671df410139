import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isoDecimals, numberIn, writtenAmount } from '../../../test/support/money/shown-amount.ts';
import { changeDecimals, currencyDecimals, decimalsByCurrency, formatCents, fromDecimal, isCurrency, toDecimal } from './currency.ts';

const currencies = ['USD', 'JPY', 'KWD', 'HUF', 'COP', 'IDR', 'CLF', 'ISK'];

describe('currencies', () => {
  test('are those of ISO 4217, with its number of decimals', () => {
    assert.deepEqual(new Map([...decimalsByCurrency].sort()), new Map([...isoDecimals].sort()));
    for (const code of ['usd', 'XAU', 'XTS', 'HRK', 'US', 'USDX', '']) assert.equal(isCurrency(code), false, code);
  });
});

describe('amounts of a currency', () => {
  test('are formatted with the decimals of ISO 4217, even if the formatting library would omit them', () => {
    const formatted = [formatCents(1250, 'HUF'), formatCents(1250, 'COP'), formatCents(1250, 'IDR')];
    assert.deepEqual(formatted, ['HUF\u00a012.50', 'COP\u00a012.50', 'IDR\u00a012.50']);
    assert.deepEqual([formatCents(1_234_567, 'USD'), formatCents(-5, 'EUR'), formatCents(500, 'JPY')], ['$12,345.67', '−€0.05', '¥500']);
    assert.equal(formatCents(99_999_999_999, 'USD'), '$999,999,999.99');
    assert.equal(formatCents(Number.MAX_SAFE_INTEGER, 'KWD'), 'KWD\u00a09,007,199,254,740.991');
    assert.deepEqual(
      [formatCents(123_456, 'HUF', { language: 'de' }), formatCents(5, 'INR', { currencyDisplay: 'code' })],
      ['1.234,56\u00a0HUF', 'INR\u00a00.05'],
    );
    for (const currency of isoDecimals.keys()) assert.equal(numberIn(formatCents(1_234_567, currency)), writtenAmount(1_234_567, currency));
  });

  test('are unchanged after conversion to a decimal and back', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom(...currencies), (amountCents, currency) => {
        const text = toDecimal(amountCents, currency);
        assert.equal((text.split('.')[1] ?? '').length, currencyDecimals(currency));
        return /^-?\d{1,15}(\.|$)/.test(text) ? fromDecimal(text, currency) === amountCents : fromDecimal(text, currency) === null;
      }),
    );
  });

  test('with fractions of the smallest unit, or in another notation, are rejected', () => {
    for (const value of ['12.505', '1e3', '', ' 1', '1,00', null, undefined, {}, '0x10']) assert.equal(fromDecimal(value, 'USD'), null);
    assert.equal(fromDecimal('12.500', 'USD'), 1250);
    assert.equal(fromDecimal('1.5', 'JPY'), null);
  });

  test('convert to another number of decimals exactly, or not at all', () => {
    assert.deepEqual([changeDecimals(1250, 2, 0), changeDecimals(1200, 2, 0), changeDecimals(12, 0, 2)], [null, 12, 1200]);
    assert.equal(changeDecimals(Number.MAX_SAFE_INTEGER, 0, 2), null);
  });
});
