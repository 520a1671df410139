// Wherever a page of a list is read from, it has the same rows.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { afterStart, nearestMidnight, type Slice, sliceOf } from './slice.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

const directions = ['asc', 'desc'] as const;
const inOrder = <Row>(ascending: readonly Row[], direction: 'asc' | 'desc') =>
  direction === 'asc' ? [...ascending] : ascending.toReversed();

test('every page has the same rows, from whichever end or row it is read', () => {
  for (const direction of directions) {
    for (let total = 0; total <= 9; total += 1) {
      const ascending = Array.from({ length: total }, (_, index) => index);
      for (let offset = 0; offset <= 11; offset += 1) {
        for (let limit = 1; limit <= 11; limit += 1) {
          const page = { limit, offset };
          for (const landmark of [null, ...Array.from({ length: total + 1 }, (_, value) => ({ value, rowsBefore: value }))]) {
            const slice = sliceOf(page, total, direction, landmark);
            const rows = slice.toPage(read(ascending, slice));
            assert.deepEqual(rows, inOrder(ascending, direction).slice(offset, offset + limit), JSON.stringify({ total, page, landmark }));
          }
        }
      }
    }
  }
});

function read(ascending: readonly number[], { direction, start, offset, limit }: Slice): number[] {
  const isAfter = (row: number) => start === null || (direction === 'asc' ? row >= Number(start) : row < Number(start));
  return inOrder(ascending, direction)
    .filter(isAfter)
    .slice(offset, offset + limit);
}

test('no page is further away than half of the list, or than the nearest landmark', () => {
  for (let offset = 0; offset < 1000; offset += 1) {
    assert.ok(sliceOf({ limit: 50, offset }, 1000, 'desc').offset <= 500);
    assert.equal(sliceOf({ limit: 50, offset }, 1000, 'asc', { value: offset, rowsBefore: offset }).offset, 0);
  }
});

test('pages that are read from the nearest midnight equal those that are read from the start', async () => {
  const { db } = service.ctx;
  // Days of very different sizes, one of them without a row, with rows at midnight and many at the same time.
  const sizes = [3, 1, 0, 40, 2, 17];
  const rows = sizes.flatMap((size, day) =>
    Array.from({ length: size }, (_, index) => new Date(Date.UTC(2026, 2, 28 + day) + (index % 5) * 17_000_000)),
  );
  const table = sql`(select at, number from unnest(${rows}::timestamptz[]) with ordinality as entry (at, number)) as entry`;
  const counts = sql`select (at at time zone 'UTC')::date as day, count(*) as rows from ${table} group by 1`;
  const findLandmark = nearestMidnight({ db }, counts);
  const select = async (condition: ReturnType<typeof sql>, { direction, limit, offset }: Omit<Slice, 'start' | 'toPage'>) => {
    const order = sql.raw(direction);
    const found = await sql<{ number: number }>`
      select number from ${table} where ${condition} order by at ${order}, number ${order} limit ${limit} offset ${offset}`.execute(db);
    return found.rows.map(({ number }) => number);
  };
  const limit = 4;
  let farthest = 0;
  for (const direction of directions)
    for (let offset = 0; offset < rows.length + 2; offset += 1) {
      const expected = await select(sql`true`, { direction, limit, offset });
      const end = Math.min(offset + limit, rows.length);
      const from = Math.min(direction === 'asc' ? offset : rows.length - end, rows.length);
      const landmark = await findLandmark({ from, to: from + Math.max(0, end - offset) });
      const slice = sliceOf({ limit, offset }, rows.length, direction, landmark);
      assert.deepEqual(slice.toPage(await select(afterStart(slice, sql`at`), slice)), expected, `${direction} ${offset}`);
      farthest = Math.max(farthest, slice.offset);
    }
  assert.ok(farthest <= Math.max(...sizes) / 2, `${farthest} rows were passed`);
});
