// pg-boss, in its own schema of the same database and on the same pool.

import type pg from 'pg';
import { type JobResult, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Context } from '../../context.ts';
import type { Job } from './job.ts';

// biome-ignore lint/suspicious/noExplicitAny: a list of jobs holds any data; each job types its own.
export type AnyJob = Job<any>;

const schema = 'pgboss';

/**
 * The queue of this process. `supervise` is for processes that work jobs off: they also run
 * schedules and maintenance.
 */
export async function openQueue(pool: pg.Pool, log: Logger, { supervise }: { supervise: boolean }): Promise<PgBoss> {
  const boss = new PgBoss({
    schema,
    db: { executeSql: (text, values) => pool.query(text, values) },
    supervise,
    schedule: supervise,
    migrate: true,
  });
  boss.on('error', (error) => log.error({ err: error }, 'queue'));
  await boss.start();
  return boss;
}

/** Makes the queues that `jobs` need. Idempotent. */
export async function createQueues(boss: PgBoss, jobs: readonly AnyJob[]): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const { name, retries } of jobs) {
    const options = { retryLimit: retries, retryBackoff: true, retryDelay: 2, retryDelayMax: 3600 };
    const queue = known.get(name);
    if (!queue) await boss.createQueue(name, options);
    // A start that changes nothing shouldn't take two statements for each queue.
    else if (Object.entries(options).some(([option, value]) => queue[option as keyof typeof options] !== value))
      await boss.updateQueue(name, options);
  }
}

/** Starts working off `jobs`, and their schedules. */
export async function work(boss: PgBoss, jobs: readonly AnyJob[], ctx: Context): Promise<void> {
  for (const job of jobs) {
    if (job.cron) await boss.schedule(job.name, job.cron);
    const options = { includeMetadata: true, perJobResults: true, batchSize: 10, pollingIntervalSeconds: 1 } as const;
    await boss.work(job.name, options, async (batch: JobWithMetadata<object>[]) => {
      const results: JobResult[] = [];
      for (const queued of batch) results.push(await attempt(job, ctx, queued));
      return results;
    });
  }
}

/** Runs what is due now, once; for tests and commands. Returns how many jobs were run. */
export async function drain(boss: PgBoss, jobs: readonly AnyJob[], ctx: Context): Promise<number> {
  let ran = 0;
  for (const job of jobs) {
    for (const queued of await boss.fetch<object>(job.name, { includeMetadata: true, batchSize: 1000 })) {
      const { id, status, output } = await attempt(job, ctx, queued);
      await (status === 'completed' ? boss.complete(job.name, id) : boss.fail(job.name, id, output));
      ran += 1;
    }
  }
  return ran;
}

/** One failing job of a batch must not fail its neighbours: each has a result of its own. */
async function attempt(job: AnyJob, ctx: Context, { id, data, retryCount, retryLimit }: JobWithMetadata<object>): Promise<JobResult> {
  const isLast = retryCount >= retryLimit;
  try {
    await job.run(ctx, data, { isLast });
    return { id, status: 'completed' };
  } catch (error) {
    ctx.log.warn({ err: error, job: job.name, jobId: id, isLast }, 'job failed');
    return { id, status: 'failed', output: { message: error instanceof Error ? error.message : String(error) } };
  }
}
