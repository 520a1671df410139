// The second half of a list is read from its end, which does not change any page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sliceOf } from './lists.ts';

test('every page of a list has the same rows, from whichever end they are read', () => {
  for (const direction of ['asc', 'desc'] as const) {
    for (let total = 0; total <= 12; total += 1) {
      const ascending = Array.from({ length: total }, (_, index) => index);
      const inOrder = (order: 'asc' | 'desc') => (order === 'asc' ? ascending : ascending.toReversed());
      for (let offset = 0; offset <= 14; offset += 1) {
        for (let limit = 1; limit <= 14; limit += 1) {
          const slice = sliceOf({ limit, offset }, total, direction);
          const read = inOrder(slice.direction).slice(slice.offset, slice.offset + slice.limit);
          assert.deepEqual(slice.toPage(read), inOrder(direction).slice(offset, offset + limit), JSON.stringify({ total, offset, limit }));
        }
      }
    }
  }
});

test('no page is further away than half of the list', () => {
  for (let offset = 0; offset < 1000; offset += 1) assert.ok(sliceOf({ limit: 50, offset }, 1000, 'desc').offset <= 500);
});
