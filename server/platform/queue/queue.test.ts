// Jobs run soon after they are due, although workers rarely look for themselves.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/time/wait.ts';
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
  // Each worker looks once when it starts.
  await enqueue(0, 'before the start');
  await enqueue(1, 'before the start');
  await startJobs(service.boss, jobs, service.ctx);
  await until('each worker has looked', () => ran.length === 2);
  ran.length = 0;
});
after(() => service.close());

async function enqueue(index: number, word: string, delaySeconds = 0): Promise<void> {
  const named = jobs[index];
  assert.ok(named);
  await transact(service.ctx, (tx) => tx.jobs.enqueue(tx, named, { word }, { delaySeconds }));
}

/** Waits for less time than the workers' own interval, which is a minute. */
async function haveRun(expected: readonly string[]): Promise<void> {
  await until('the jobs have run', () => ran.length >= expected.length, 45_000);
  assert.deepEqual(ran, expected);
}

test('a job wakes the worker of its queue, again and again, and a delayed one when it is due', { timeout: 120_000 }, async () => {
  await enqueue(1, 'delayed', 3);
  await enqueue(0, 'first');
  await haveRun(['early first', 'late delayed']);
  await enqueue(0, 'second');
  await haveRun(['early first', 'late delayed', 'early second']);
});
