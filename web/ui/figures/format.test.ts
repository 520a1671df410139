import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import currencyCodes from 'currency-codes';
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
      return isRight ? [] : [`${code}: ${shown}`];
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
