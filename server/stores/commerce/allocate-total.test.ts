import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { allocateTotal } from './allocate-total.ts';
import { shareOfWhole } from './apply-refund.ts';

const weights = fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9_999_999 })), { minLength: 1, maxLength: 12 });
const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);

describe('allocating a growing total to lines', () => {
  test('allocates all of it, exceeds no line, and no line ever receives less', () => {
    fc.assert(
      fc.property(weights, fc.nat(), fc.nat(), (lines, one, two) => {
        const whole = sum(lines);
        const [less, more] = [one % (whole + 1), two % (whole + 1)].sort((a, b) => a - b) as [number, number];
        const [before, after] = [allocateTotal(less, lines), allocateTotal(more, lines)];
        assert.equal(sum(before), less);
        for (const [index, line] of lines.entries()) {
          assert.ok((before[index] ?? 0) <= (after[index] ?? 0), `${before} ${after}`);
          assert.ok((after[index] ?? 0) <= line);
          if (whole > 0) assert.ok(Math.abs((before[index] ?? 0) - (line * less) / whole) <= lines.length);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('worked examples: a third of two lines, two thirds, and all', () => {
    assert.deepEqual(
      [allocateTotal(1, [1, 2]), allocateTotal(2, [1, 2]), allocateTotal(3, [1, 2])],
      [
        [0, 1],
        [1, 1],
        [1, 2],
      ],
    );
    assert.deepEqual(allocateTotal(5, [5, 5]), [3, 2]);
    assert.deepEqual(allocateTotal(0, [0, 0]), [0, 0]);
  });
});

test('the shares of two parts add up to all of the amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 1, max: 1e9 }), fc.nat(), (cents, whole, some) => {
      const part = some % (whole + 1);
      assert.ok(shareOfWhole(cents, part, whole) + shareOfWhole(cents, whole - part, whole) >= cents);
      assert.equal(shareOfWhole(cents, whole, whole), cents);
    }),
  );
});
