import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toTags, toUpdate, toValues } from './edit-values.ts';

const ada = {
  firstName: 'Ada',
  lastName: 'Lindqvist',
  email: 'ada@example.com',
  vanitySlug: null,
  externalId: null,
  tags: ['podcast'],
  groupId: null,
  parentAffiliateId: null,
  commissionOverrideType: 'percentage' as const,
  commissionOverrideRate: 18,
};

describe('editing an affiliate', () => {
  const saved = toValues(ada);

  test('sends only what changed', () => {
    assert.deepEqual(toUpdate(saved, saved), {});
    assert.deepEqual(toUpdate(saved, { ...saved, lastName: 'Lovelace', tags: 'podcast, EU' }), {
      lastName: 'Lovelace',
      tags: ['podcast', 'EU'],
    });
  });

  test('sends an override with its unit: percent, or cents per order', () => {
    assert.deepEqual(toUpdate(saved, { ...saved, override: 'flat', overrideCents: 500 }), {
      commissionOverrideType: 'flat',
      commissionOverrideRate: 500,
    });
    assert.deepEqual(toUpdate(saved, { ...saved, overridePercent: 12.5 }), {
      commissionOverrideType: 'percentage',
      commissionOverrideRate: 12.5,
    });
    assert.deepEqual(toUpdate(saved, { ...saved, override: 'none' }), { commissionOverrideType: null });
  });

  test('removes a slug that is cleared', () => {
    const named = toValues({ ...ada, vanitySlug: 'ada' });
    assert.deepEqual(toUpdate(named, { ...named, vanitySlug: ' ' }), { vanitySlug: null });
  });

  test('keeps each tag once', () => {
    assert.deepEqual(toTags(' podcast, EU,, podcast '), ['podcast', 'EU']);
  });
});
