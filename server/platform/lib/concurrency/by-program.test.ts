import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createByProgram } from './by-program.ts';
import { createBatcher } from './micro-batch.ts';

const overloadError = () => new Error('full');

test('of 3,000 programs, at most 1,000 idle queues are kept, and every busy one', async () => {
  const created: string[] = [];
  const { promise: end, resolve: finish } = Promise.withResolvers<void>();
  const queueOf = createByProgram((programId) => {
    created.push(programId);
    const run = async (items: readonly string[]) => {
      if (programId === 'busy') await end;
      return [...items];
    };
    return createBatcher<string, string>({ concurrency: 1, maxBatch: 10, maxWaiting: 10, overloadError, run });
  });
  const busy = queueOf('busy');
  const waiting = busy('item');
  const programs = Array.from({ length: 3000 }, (_, index) => `program ${index}`);
  for (const programId of programs) assert.equal(await queueOf(programId)(programId), programId);
  assert.equal(queueOf('busy'), busy);
  assert.deepEqual(created, ['busy', ...programs]);
  // From the newest to the oldest: looking up a removed one creates it again.
  const isKept = programs.toReversed().map((programId) => {
    const before = created.length;
    queueOf(programId);
    return created.length === before;
  });
  assert.equal(isKept.filter(Boolean).length, 999);
  finish();
  assert.equal(await waiting, 'item');
  assert.equal(busy.isIdle(), true);
});
