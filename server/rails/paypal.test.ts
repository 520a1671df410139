// What of PayPal's refusals and events may be believed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { railTypes } from './index.ts';

describe('a kind of rail', () => {
  test('says what a caller may conclude: of PayPal, nothing from a refused repeat, nor from a payment missing since yesterday', () => {
    const factsOf = (type: keyof typeof railTypes) => {
      const { believesRefusalOfRepeat, bookLagHours } = railTypes[type];
      return [believesRefusalOfRepeat, bookLagHours];
    };
    assert.deepEqual(factsOf('paypal'), [false, 48]);
    for (const type of ['wise', 'stripe_connect', 'external_webhook', 'manual', 'csv'] as const) assert.deepEqual(factsOf(type), [true, 1]);
  });
});
