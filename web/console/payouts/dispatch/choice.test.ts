import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cutoffOf, firstChoice, isTooLate, toExceptions } from './choice.ts';

const now = Date.parse('2026-11-24T03:00:00Z');
const zone = 'America/New_York';

describe('the choice of a dispatch', () => {
  test('starts without those who were left out with a reason', () => {
    const exclusion = { note: 'No contract', excludedAt: '2026-11-01T00:00:00Z' };
    const { excepted } = firstChoice([
      { affiliateId: 'a', exclusion: null },
      { affiliateId: 'b', exclusion },
    ]);
    assert.deepEqual([...excepted], [['b', 'No contract']]);
  });

  test('pays until the end of a day in the zone of the program, and never in advance', () => {
    assert.equal(cutoffOf('2026-11-22', zone, now), '2026-11-23T05:00:00.000Z');
    assert.deepEqual([cutoffOf('2026-11-23', zone, now), cutoffOf(null, zone, now)], [undefined, undefined]);
    assert.deepEqual([isTooLate('2026-11-23', zone, now), isTooLate('2026-11-24', zone, now)], [false, true]);
  });

  test('sends a reason only where there is one', () => {
    assert.deepEqual(
      toExceptions(
        new Map([
          ['a', ' Late '],
          ['b', ' '],
        ]),
      ),
      {
        exclusions: [{ affiliateId: 'a', note: 'Late' }],
        exceptAffiliateIds: ['b'],
      },
    );
    assert.deepEqual(toExceptions(new Map()), { exclusions: undefined, exceptAffiliateIds: undefined });
  });
});
