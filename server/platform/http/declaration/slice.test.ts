// From whichever end a page of a list is read, it has the same rows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Slice, sliceOf } from './slice.ts';

const inOrder = <Row>(ascending: readonly Row[], direction: 'asc' | 'desc') =>
  direction === 'asc' ? [...ascending] : ascending.toReversed();
const read = (ascending: readonly number[], { direction, offset, limit }: Slice) =>
  inOrder(ascending, direction).slice(offset, offset + limit);

test('every page has the same rows, and is read from the nearer end', () => {
  for (const direction of ['asc', 'desc'] as const) {
    for (let total = 0; total <= 9; total += 1) {
      const ascending = Array.from({ length: total }, (_, index) => index);
      for (let offset = 0; offset <= 11; offset += 1) {
        for (let limit = 1; limit <= 11; limit += 1) {
          const slice = sliceOf({ limit, offset }, total, direction);
          const rows = slice.toPage(read(ascending, slice));
          const expected = inOrder(ascending, direction).slice(offset, offset + limit);
          assert.deepEqual(rows, expected, JSON.stringify({ total, offset, limit, direction }));
          assert.ok(slice.offset <= total / 2);
        }
      }
    }
  }
});
