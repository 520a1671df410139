import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createKeyedSemaphore, createSemaphore } from './semaphore.ts';

const overloadError = () => new Error('full');

describe('a semaphore', () => {
  test('admits callers up to its limit, then in order of arrival, and rejects callers beyond its queue', async () => {
    const semaphore = createSemaphore({ concurrency: 2, maxWaiting: 2, overloadError });
    const order: string[] = [];
    const acquire = async (name: string) => {
      const release = await semaphore.acquire();
      order.push(name);
      return release;
    };
    const callers = ['a', 'b', 'c', 'd'].map(acquire);
    await nextTurn();
    assert.deepEqual(order, ['a', 'b']);
    await assert.rejects(semaphore.acquire(), /full/);
    const releaseFirst = await callers[0];
    releaseFirst?.();
    releaseFirst?.();
    await nextTurn();
    assert.deepEqual(order, ['a', 'b', 'c']);
    for (const caller of callers) (await Promise.race([caller, nextTurn()]))?.();
    await nextTurn();
    assert.deepEqual(order, ['a', 'b', 'c', 'd']);
    (await callers[3])?.();
    assert.ok(semaphore.isIdle());
  });

  test('rejects a caller that waited too long, and admits the next one', async () => {
    const semaphore = createSemaphore({ concurrency: 1, maxWaiting: 5, maxWaitMs: 20, overloadError });
    const release = await semaphore.acquire();
    await assert.rejects(semaphore.acquire(), /full/);
    const next = semaphore.acquire();
    release();
    (await next)();
    assert.ok(semaphore.isIdle());
  });

  test('of one key does not delay another key', async () => {
    const semaphore = createKeyedSemaphore({ concurrency: 1, maxWaiting: 0, overloadError });
    const release = await semaphore.acquire('a');
    await assert.rejects(semaphore.acquire('a'), /full/);
    (await semaphore.acquire('b'))();
    release();
    (await semaphore.acquire('a'))();
  });
});
