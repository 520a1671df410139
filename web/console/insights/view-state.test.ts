// A saved view restores the choices that the URL had, and nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameView, toPatch, toView } from './view-state.ts';

const saved = { range: '90d', breakdown: 'country' };

test('stores the choices, without what is open', () => assert.deepEqual(toView({ ...saved, sheet: 'x' }), saved));

test('restores what it stores, and removes what it does not', () => {
  const patch = { range: '90d', from: null, to: null, compare: null, metric: null, breakdown: 'country', cohorts: null };
  assert.deepEqual(toPatch(saved), patch);
  assert.deepEqual(toPatch('unreadable'), { ...patch, range: null, breakdown: null });
});

test('is open while the URL says the same', () => {
  assert.equal(isSameView({ ...saved, other: '1' }, saved), true);
  assert.equal(isSameView({ ...saved, metric: 'clicks' }, saved), false);
  assert.equal(isSameView({ range: '90d' }, saved), false);
});
