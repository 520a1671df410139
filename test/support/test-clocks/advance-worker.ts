// A process that advances test clocks until it is killed. Started by test/kill/test-clocks.test.ts.
import pino from 'pino';
import type { Context } from '../../../server/context.ts';
import { connect } from '../../../server/platform/db/connect.ts';
import { fixedClock } from '../../../server/platform/lib/clock.ts';
import { createJobs } from '../../../server/platform/queue/outbox.ts';
import { openQueue, startJobs } from '../../../server/platform/queue/queue.ts';
import { advanceJobName } from '../../../server/platform/test-clocks/write-clock.ts';
import { jobs } from '../../../server/schedule.ts';
import { openWorkerContext, type WorkerConnection } from '../crash/worker-context.ts';

export type AdvanceWorkerOptions = {
  connection: WorkerConnection;
  vaultKey: string;
  now: number;
};

if (process.argv[2]) await work(JSON.parse(process.argv[2]) as AdvanceWorkerOptions);

async function work({ connection, vaultKey, now }: AdvanceWorkerOptions): Promise<void> {
  const log = pino({ level: 'fatal' });
  const boss = await openQueue(connect({ ...connection, max: 2 }), log, { supervise: false });
  const ctx: Context = { ...openWorkerContext({ connection, vaultKey, clock: fixedClock(new Date(now)) }), jobs: createJobs(boss) };
  const advance = jobs.filter(({ name }) => name === advanceJobName);
  await startJobs(boss, advance, ctx);
  process.stdout.write('ready\n');
}
