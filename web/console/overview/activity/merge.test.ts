import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeActivity } from './merge.ts';

const item = (id: string, second: number) => ({ id, kind: 'order', at: new Date(second * 1000).toISOString() });

test('repeated items are shown once, the newest first, and no more than the limit', () => {
  const shown = [item('c', 3), item('b', 2), item('a', 1)];
  const merged = mergeActivity(shown, [item('d', 4), item('c', 3)], 3);
  assert.deepEqual(
    merged.map(({ id }) => id),
    ['d', 'c', 'b'],
  );
});

test('without anything new, nothing changes', () => {
  const shown = [item('b', 2), item('a', 1)];
  assert.deepEqual(mergeActivity(shown, [], 10), shown);
});
