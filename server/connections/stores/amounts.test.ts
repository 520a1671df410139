import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toMinorUnits } from './amounts.ts';
import { fromStripeAmount } from './stripe-events.ts';

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

  test('Stripe counts two currencies without decimals in hundredths', () => {
    assert.deepEqual(
      [fromStripeAmount(500, 'ISK'), fromStripeAmount(500, 'JPY'), fromStripeAmount(500, 'USD'), fromStripeAmount(550, 'UGX')],
      [5, 500, 500, null],
    );
  });
});
