// Which amounts changed while the sheet was open, and whether the total has to be typed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenOf, findChanges, isUnusual } from './changes.ts';

const row = (affiliateId: string, amountCents: number) => ({
  affiliateId,
  amountCents,
  commissionCount: 1,
  exchange: null,
  exclusion: null,
});

test('names the affiliates whose amount changed, who are no longer due, and who became due', () => {
  const changes = findChanges([row('a', 100), row('b', 200), row('c', 300)], [row('a', 100), row('b', 150), row('d', 50)]);
  assert.deepEqual(
    changes.map(({ affiliateId, beforeCents, afterCents }) => [affiliateId, beforeCents, afterCents]),
    [
      ['b', 200, 150],
      ['c', 300, 0],
      ['d', 0, 50],
    ],
  );
});

test('deselected affiliates are not part of the total', () => {
  const { rows, totalCents } = chosenOf([row('a', 100), row('b', 200), row('c', 300)], new Set(['b']));
  assert.deepEqual([rows.map(({ affiliateId }) => affiliateId), totalCents], [['c', 'a'], 400]);
});

test('a batch of twice the last one is unusual; the first batch is not', () => {
  assert.deepEqual([isUnusual(199, 100), isUnusual(200, 100), isUnusual(1_000_000, null)], [false, true, false]);
});
