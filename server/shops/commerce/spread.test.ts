import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { minorUnits, shareOfWhole, stripeUnits } from './amounts.ts';
import { spreadSteadily } from './spread.ts';

const weights = fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9_999_999 })), { minLength: 1, maxLength: 12 });

describe('a growing total on lines', () => {
  test('comes to the total, exceeds no line, and no line ever gets less', () => {
    fc.assert(
      fc.property(weights, fc.nat(), fc.nat(), (lines, one, two) => {
        const sum = lines.reduce((all, line) => all + line, 0);
        const [less, more] = [one % (sum + 1), two % (sum + 1)].sort((a, b) => a - b) as [number, number];
        const [before, after] = [spreadSteadily(less, lines), spreadSteadily(more, lines)];
        assert.equal(
          before.reduce((all, part) => all + part, 0),
          less,
        );
        for (const [index, line] of lines.entries()) {
          assert.ok((before[index] ?? 0) <= (after[index] ?? 0), `${before} ${after}`);
          assert.ok((after[index] ?? 0) <= line);
          if (sum > 0) assert.ok(Math.abs((before[index] ?? 0) - (line * less) / sum) <= lines.length);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('by hand: a third of two lines, then two thirds, then all', () => {
    assert.deepEqual(
      [spreadSteadily(1, [1, 2]), spreadSteadily(2, [1, 2]), spreadSteadily(3, [1, 2])],
      [
        [0, 1],
        [1, 1],
        [1, 2],
      ],
    );
    assert.deepEqual(spreadSteadily(5, [5, 5]), [3, 2]);
    assert.deepEqual(spreadSteadily(0, [0, 0]), [0, 0]);
  });
});

describe('amounts of shops', () => {
  test('decimal texts in currencies of no, two and three decimals', () => {
    const rows: [unknown, string, number | null][] = [
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
    for (const [text, currency, cents] of rows) assert.equal(minorUnits(text, currency), cents, `${text} ${currency}`);
  });

  test('Stripe counts two currencies in hundredths that they do not have', () => {
    assert.deepEqual(
      [stripeUnits(500, 'ISK'), stripeUnits(500, 'JPY'), stripeUnits(500, 'USD'), stripeUnits(550, 'UGX')],
      [5, 500, 500, null],
    );
  });

  test('parts of a whole give parts that come to all of it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 1, max: 1e9 }), fc.nat(), (cents, whole, some) => {
        const part = some % (whole + 1);
        assert.ok(shareOfWhole(cents, part, whole) + shareOfWhole(cents, whole - part, whole) >= cents);
        assert.equal(shareOfWhole(cents, whole, whole), cents);
      }),
    );
  });
});
