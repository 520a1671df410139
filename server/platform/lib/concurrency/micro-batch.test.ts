import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBatcher } from './micro-batch.ts';

const overloadError = () => new Error('full');
const failsAll = (error: unknown) => error instanceof Error && error.message === 'lost';
const options = { concurrency: 1, maxBatch: 100, maxWaiting: 1000, overloadError, failsAll };
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('waiting items share a batch, in order, each with its own result', async () => {
  const sizes: number[] = [];
  const add = createBatcher<number, number>({
    ...options,
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

test('an invalid item does not fail the others of its batch', async () => {
  const add = createBatcher<number, number>({
    ...options,
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

test('concurrency, batch size and queue length are bounded', async () => {
  let running = 0;
  let maxRunning = 0;
  const sizes: number[] = [];
  const add = createBatcher<number, number>({
    concurrency: 2,
    maxBatch: 3,
    maxWaiting: 20,
    overloadError,
    failsAll,
    async run(items) {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      sizes.push(items.length);
      await nextTurn();
      running -= 1;
      return [...items];
    },
  });
  const results = await Promise.allSettled(Array.from({ length: 30 }, (_, index) => add(index)));
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 20);
  assert.equal(results.filter((result) => result.status === 'rejected' && result.reason.message === 'full').length, 10);
  assert.equal(maxRunning, 2);
  assert.ok(Math.max(...sizes) <= 3);
  await nextTurn();
  assert.equal(await add(7), 7);
});

test('an error that affects every item rejects the whole batch without retries', async () => {
  let attempts = 0;
  const add = createBatcher<number, number>({
    ...options,
    async run() {
      attempts += 1;
      throw new Error('lost');
    },
  });
  const results = await Promise.allSettled([1, 2, 3, 4].map(add));
  assert.ok(results.every((result) => result.status === 'rejected' && result.reason.message === 'lost'));
  assert.equal(attempts, 1);
});

test('items that arrive until a batch is admitted join it', async () => {
  let release = () => {};
  const admitted = new Promise<void>((resolve) => {
    release = resolve;
  });
  let ended = 0;
  const sizes: number[] = [];
  const add = createBatcher<number, number>({
    ...options,
    async admit() {
      await admitted;
      return () => {
        ended += 1;
      };
    },
    async run(items) {
      sizes.push(items.length);
      return [...items];
    },
  });
  const first = add(1);
  await nextTurn();
  const second = add(2);
  release();
  assert.deepEqual(await Promise.all([first, second]), [1, 2]);
  assert.deepEqual([sizes, ended], [[2], 1]);
});

test('the next batch starts before the results of the one before are used', async () => {
  const order: string[] = [];
  const add = createBatcher<string, string>({
    ...options,
    async run([item = '']) {
      order.push(`run ${item}`);
      await nextTurn();
      return [item];
    },
    maxBatch: 1,
  });
  await Promise.all(['a', 'b'].map((item) => add(item).then(() => order.push(`used ${item}`))));
  assert.ok(order.indexOf('run b') < order.indexOf('used a'), order.join());
});
