// Jobs run soon after they are due, although workers rarely look for themselves.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { transact } from '../db/transact.ts';
import { job } from './job.ts';
import { createQueues, startJobs } from './queue.ts';

let service: TestService;
const ran: string[] = [];
const jobs = ['early', 'late', 'never'].map((name) =>
  job<{ word: string }>({ name: `test.${name}`, retries: 0, run: async (_ctx, { word }) => void ran.push(`${name} ${word}`) }),
);

before(async () => {
  service = await openTestService();
  await createQueues(service.boss, jobs);
  await startJobs(service.boss, jobs, service.ctx);
  // Each worker looks once when it starts.
  await sleep(1000);
});
after(() => service.close());

async function enqueue(index: number, word: string, delaySeconds = 0): Promise<void> {
  const named = jobs[index];
  assert.ok(named);
  await transact(service.ctx, (tx) => tx.jobs.enqueue(tx, named, { word }, { delaySeconds }));
}

/** Waits for less time than the workers' own interval, which is a minute. */
async function haveRun(expected: readonly string[]): Promise<void> {
  for (let waited = 0; ran.length < expected.length && waited < 45_000; waited += 100) await sleep(100);
  assert.deepEqual(ran, expected);
}

test('a job wakes the worker of its queue, again and again, and a delayed one when it is due', { timeout: 120_000 }, async () => {
  await enqueue(1, 'delayed', 3);
  await enqueue(0, 'first');
  await haveRun(['early first', 'late delayed']);
  await enqueue(0, 'second');
  await haveRun(['early first', 'late delayed', 'early second']);
});
