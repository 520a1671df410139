import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fromStripeUnits, toStripeUnits } from '../rails/stripe/amounts.ts';
import { toMinorUnits } from './amounts.ts';

describe('amounts of stores', () => {
  test('decimal texts of currencies with no, two and three decimals', () => {
    const rows: [text: unknown, currency: string, cents: number | null][] = [
      ['12.50', 'USD', 1250],
      ['1250', 'JPY', 1250],
      ['1250.00', 'JPY', 1250],
      ['1.250', 'KWD', 1250],
      ['-10.00', 'EUR', -1000],
      ['16.66666667', 'USD', 1667],
      [98.25, 'USD', 9825],
      ['1,5', 'USD', null],
      ['', 'USD', null],
      [null, 'USD', null],
      ['1e5', 'USD', null],
    ];
    for (const [text, currency, cents] of rows) assert.equal(toMinorUnits(text, currency), cents, `${text} ${currency}`);
  });

  test('Stripe counts two currencies without decimals in hundredths, and one with decimals in whole units', () => {
    const read = (['ISK', 'JPY', 'USD', 'MGA'] as const).map((currency) => fromStripeUnits(500, currency));
    assert.deepEqual([...read, fromStripeUnits(550, 'UGX')], [5, 500, 500, 50_000, null]);
    const written = (['ISK', 'JPY', 'USD', 'MGA'] as const).map((currency) => toStripeUnits(500, currency));
    assert.deepEqual([...written, toStripeUnits(550, 'MGA')], [50_000, 500, 500, 5, null]);
  });
});
