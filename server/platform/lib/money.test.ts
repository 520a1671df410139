// Property tests of money with 100,000 cases: rounding, splitting and reversing lose no cent. A failure prints its seed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AmountTooLarge, allocate, calculateReversal, divideRounded, multiplyCents, shareOf, sumOf, toPpm } from './money.ts';

const largest = 99_999_999_999;
const cents = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: largest }), fc.constant(largest));
const percent = fc.integer({ min: 0, max: 1_000_000 }).map((ppm) => ppm / 10_000);
const runs = { numRuns: 20_000, seed: 20_261_121 };

describe('rounding', () => {
  test('is half up on the magnitude, for both signs', () => {
    for (const [n, d, result] of [
      [5, 10, 1],
      [4, 10, 0],
      [-5, 10, -1],
      [-4, 10, 0],
      [15, 10, 2],
      [25, 10, 3],
      [0, 7, 0],
    ] as const)
      assert.equal(divideRounded(BigInt(n), BigInt(d)), BigInt(result), `${n}/${d}`);
    assert.throws(() => divideRounded(1n, 0n), RangeError);
  });

  test('a share is within half a cent of the exact value, and exactly half a cent rounds up (20,000 cases)', () => {
    fc.assert(
      fc.property(cents, percent, (amount, rate) => {
        const share = BigInt(shareOf(amount, toPpm(rate)));
        const twiceOff = 2n * (share * 1_000_000n - BigInt(amount) * BigInt(toPpm(rate)));
        return twiceOff > -1_000_000n && twiceOff <= 1_000_000n;
      }),
      runs,
    );
  });

  test('every rate of four decimals is exact in parts per million', () => {
    for (let ppm = 0; ppm <= 1_000_000; ppm += 7) assert.equal(toPpm(ppm / 10_000), ppm);
  });

  test('a result beyond the safe integers is rejected, not rounded', () => {
    assert.throws(() => multiplyCents(largest, 100_000), AmountTooLarge);
    assert.throws(() => sumOf(Array(100_000).fill(largest)), AmountTooLarge);
    assert.equal(multiplyCents(largest, 90_000), 8_999_999_999_910_000);
    assert.equal(shareOf(largest, 1_000_000), largest);
  });
});

describe('splitting', () => {
  const weights = fc.array(cents, { minLength: 1, maxLength: 12 });

  test('adds up to the total, with each part within a cent of its share and none negative (20,000 cases)', () => {
    fc.assert(
      fc.property(cents, weights, (total, shares) => {
        const parts = allocate(total, shares);
        const sum = shares.reduce((all, weight) => all + BigInt(weight), 0n);
        const isNear = parts.every((part, index) => {
          if (sum === 0n) return true;
          const off = BigInt(part) * sum - BigInt(total) * BigInt(shares[index] ?? 0);
          return off > -sum && off < sum;
        });
        return sumOf(parts) === total && isNear && parts.every((part) => part >= 0);
      }),
      runs,
    );
  });

  test('assigns leftover cents to the largest remainders, and to the earlier part if they are equal', () => {
    assert.deepEqual(allocate(100, [1, 1, 1]), [34, 33, 33]);
    assert.deepEqual(allocate(2, [1, 1, 1]), [1, 1, 0]);
    assert.deepEqual(allocate(10, [33, 33, 34]), [3, 3, 4]);
    assert.deepEqual(allocate(5, [0, 0]), [3, 2]);
    assert.deepEqual(allocate(0, [5, 3]), [0, 0]);
    assert.deepEqual(allocate(7, [0, 9]), [0, 7]);
    assert.throws(() => allocate(1, []), RangeError);
  });
});

describe('reversing a commission', () => {
  test('in any parts and order ends at exactly the commission, and never decreases in between (40,000 cases)', () => {
    const parts = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(cents, percent, parts, (baseCents, rate, weights) => {
        const commissionCents = shareOf(baseCents, toPpm(rate));
        const refunds = allocate(baseCents, weights);
        let refunded = 0;
        let reversed = 0;
        for (const refund of refunds) {
          refunded += refund;
          const target = refunded === 0 ? 0 : calculateReversal(refunded, { commissionCents, baseCents });
          if (target < reversed || target > commissionCents) return false;
          reversed = target;
        }
        return baseCents === 0 || reversed === commissionCents;
      }),
      { ...runs, numRuns: 40_000 },
    );
  });

  test('of a negative amount mirrors the positive one (20,000 cases)', () => {
    fc.assert(
      fc.property(cents, cents, percent, (base, part, rate) => {
        const baseCents = base + 1;
        const commissionCents = shareOf(baseCents, toPpm(rate));
        const refunded = part % (baseCents + 1);
        const back = calculateReversal(refunded, { commissionCents, baseCents });
        return back + calculateReversal(refunded, { commissionCents: -commissionCents, baseCents }) === 0;
      }),
      runs,
    );
  });

  test('a refund in seven parts, calculated manually: 10 % of 9.99 is 1.00', () => {
    // 999 → 100. After 143: 100×143/999=14.3→14; 286: 28.6→29; 429: 42.9→43; 572: 57.3→57; 715: 71.6→72; 858: 85.9→86; 999: 100.
    const steps = [143, 286, 429, 572, 715, 858, 999].map((sum) => calculateReversal(sum, { commissionCents: 100, baseCents: 999 }));
    assert.deepEqual(steps, [14, 29, 43, 57, 72, 86, 100]);
  });
});
