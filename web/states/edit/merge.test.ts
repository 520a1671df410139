import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findClashes, mergeValues } from './merge.ts';

describe('an edit on top of the edit of someone else', () => {
  const base = { name: 'Tea', cents: 500 as number | null, groups: ['a'] };

  test('keeps both when they changed different fields', () => {
    const [mine, theirs] = [
      { ...base, name: 'Green tea' },
      { ...base, cents: null, groups: ['a', 'b'] },
    ];
    assert.deepEqual(findClashes({ base, mine, theirs }), []);
    assert.deepEqual(mergeValues({ base, mine, theirs }), { name: 'Green tea', cents: null, groups: ['a', 'b'] });
  });

  test('conflicts only where both changed one field to different values', () => {
    const mine = { name: 'Green tea', cents: 600, groups: ['b'] };
    const theirs = { name: 'Black tea', cents: 600, groups: ['a'] };
    assert.deepEqual(findClashes({ base, mine, theirs }), ['name']);
  });
});
