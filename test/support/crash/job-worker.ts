// A process that runs the jobs of one name until it is killed. Started by `startJobWorker` (job-workers.ts).
import pino from 'pino';
import type { Context } from '../../../server/context.ts';
import { connect } from '../../../server/platform/db/connect.ts';
import { fixedClock } from '../../../server/platform/lib/clock.ts';
import { createJobs } from '../../../server/platform/queue/outbox.ts';
import { openQueue, startJobs } from '../../../server/platform/queue/queue.ts';
import { jobs } from '../../../server/schedule.ts';
import { openWorkerContext, type WorkerConnection } from './worker-context.ts';

export type JobWorkerOptions = {
  jobName: string;
  connection: WorkerConnection;
  vaultKey: string;
  now: number;
};

if (process.argv[2]) await work(JSON.parse(process.argv[2]) as JobWorkerOptions);

async function work({ jobName, connection, vaultKey, now }: JobWorkerOptions): Promise<void> {
  const log = pino({ level: 'fatal' });
  const boss = await openQueue(connect({ ...connection, max: 2 }), log, { supervise: false });
  const ctx: Context = { ...openWorkerContext({ connection, vaultKey, clock: fixedClock(new Date(now)) }), jobs: createJobs(boss) };
  await startJobs(
    boss,
    jobs.filter(({ name }) => name === jobName),
    ctx,
  );
  process.stdout.write('ready\n');
}
