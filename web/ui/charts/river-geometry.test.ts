import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { riverOutline, riverParts } from './river-geometry.ts';

const amounts = fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 1, maxLength: 5 });

describe('the river', () => {
  test('fills its width exactly, with a gap of 5 px between its parts', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 300, max: 1600 }), (cents, width) => {
        const parts = riverParts(cents, width).filter((part) => part !== null);
        if (parts.length === 0) return;
        const filled = parts.reduce((sum, part) => sum + part.width, 0) + 5 * (parts.length - 1);
        assert.ok(Math.abs(filled - width) < 0.001, `${filled} of ${width}`);
      }),
    );
  });

  test('is as wide as the amounts, and never narrower than 10 px', () => {
    const [a, b, none] = riverParts([300_000, 100_000, 0], 405);
    assert.deepEqual([a?.width, b?.width, none], [300, 100, null]);
    const [large, small] = riverParts([1_000_000, 1], 405);
    assert.deepEqual([large?.width, small?.width], [390, 10]);
    fc.assert(
      fc.property(amounts, (cents) => {
        for (const part of riverParts(cents, 800)) assert.ok(part === null || part.width >= 9.999);
      }),
    );
  });

  test('is dry without money', () => {
    assert.deepEqual(riverParts([0, 0], 400), [null, null]);
  });

  test('has the same wave on every load', () => {
    const outline = riverOutline({ x: 10, width: 100 }, 13, 54);
    assert.equal(outline, riverOutline({ x: 10, width: 100 }, 13, 54));
    assert.match(outline, /^M10 [\d.]+L.*L110 54L10 54Z$/);
  });
});
