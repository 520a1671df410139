import assert from 'node:assert/strict';
import { test } from 'node:test';
import { microBatch } from './micro-batch.ts';

const refuse = () => new Error('full');
const isShared = (error: unknown) => error instanceof Error && error.message === 'lost';
const settings = { lanes: 1, maxBatch: 100, maxWaiting: 1000, refuse, isShared };
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('what waits goes together, in order, each with its own result', async () => {
  const sizes: number[] = [];
  const add = microBatch<number, number>({
    ...settings,
    async run(items) {
      sizes.push(items.length);
      await nextTurn();
      return items.map((item) => item * 2);
    },
  });
  const first = [1, 2, 3].map(add);
  await nextTurn();
  const later = [4, 5].map(add);
  assert.deepEqual(await Promise.all([...first, ...later]), [2, 4, 6, 8, 10]);
  assert.deepEqual(sizes, [3, 2]);
});

test('one bad item never fails its neighbours', async () => {
  const add = microBatch<number, number>({
    ...settings,
    async run(items) {
      if (items.includes(3)) throw new Error('poison');
      return [...items];
    },
  });
  const results = await Promise.allSettled([1, 2, 3, 4].map(add));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  );
});

test('no more lanes than allowed, no batch larger than allowed, and a bounded queue', async () => {
  let underWay = 0;
  let most = 0;
  const sizes: number[] = [];
  const add = microBatch<number, number>({
    lanes: 2,
    maxBatch: 3,
    maxWaiting: 20,
    refuse,
    isShared,
    async run(items) {
      underWay += 1;
      most = Math.max(most, underWay);
      sizes.push(items.length);
      await nextTurn();
      underWay -= 1;
      return [...items];
    },
  });
  const results = await Promise.allSettled(Array.from({ length: 30 }, (_, index) => add(index)));
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 20);
  assert.equal(results.filter((result) => result.status === 'rejected' && result.reason.message === 'full').length, 10);
  assert.equal(most, 2);
  assert.ok(Math.max(...sizes) <= 3);
  await nextTurn();
  assert.equal(await add(7), 7);
});

test('a fault that is everybody’s is told to everybody at once', async () => {
  let tries = 0;
  const add = microBatch<number, number>({
    ...settings,
    async run() {
      tries += 1;
      throw new Error('lost');
    },
  });
  const results = await Promise.allSettled([1, 2, 3, 4].map(add));
  assert.ok(results.every((result) => result.status === 'rejected' && result.reason.message === 'lost'));
  assert.equal(tries, 1);
});
