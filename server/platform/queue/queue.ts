// The background jobs' queue: pg-boss in its own schema of the database, on the same connection pool.
import { sql } from 'kysely';
import type pg from 'pg';
import { type JobResult, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Context } from '../../context.ts';
import { transact } from '../db/transact.ts';
import { isFrozen, retrySeconds } from '../freeze/freeze.ts';
import { repeat } from '../lib/concurrency/repeat.ts';
import { toProgramContext } from '../test-clocks/program-clock.ts';
import type { Job } from './job.ts';
import { retryLostJobs } from './lost-jobs.ts';
import { relayJobs } from './outbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: the jobs in a list have different types of data.
export type AnyJob = Job<any>;

const schema = 'pgboss';

/** Opens the queue. Processes that run jobs pass `supervise`, which also runs schedules and maintenance. */
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

/** Creates or updates the queues of these jobs. Idempotent. */
export async function createQueues(boss: PgBoss, jobs: readonly AnyJob[]): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const { name, retries, heartbeatSeconds } of jobs) {
    const heartbeat = heartbeatSeconds === undefined ? {} : { heartbeatSeconds };
    const options = { retryLimit: retries, retryBackoff: true, retryDelay: 2, retryDelayMax: 3600, ...heartbeat };
    const queue = known.get(name);
    if (!queue) await boss.createQueue(name, options);
    // An unchanged queue needs no statement, which keeps starts fast.
    else if (Object.entries(options).some(([option, value]) => queue[option as keyof typeof options] !== value))
      await boss.updateQueue(name, options);
  }
}

/** Workers are woken when a job is due (wake-workers.ts). They also look for themselves, after this time. */
const pollingIntervalSeconds = 60;

/** Starts running these jobs, and their schedules. */
export async function startJobs(boss: PgBoss, jobs: readonly AnyJob[], ctx: Context): Promise<void> {
  const workers = new Map<string, string>();
  const schedules = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]));
  for (const job of jobs) {
    if (job.cron && schedules.get(job.name) !== job.cron) await boss.schedule(job.name, job.cron);
    const options = { includeMetadata: true, perJobResults: true, batchSize: 10, pollingIntervalSeconds } as const;
    const workerId = await boss.work(job.name, options, async (batch: JobWithMetadata<object>[]) => {
      const results: JobResult[] = [];
      for (const queued of batch) results.push(await runJob(job, ctx, queued));
      return results;
    });
    workers.set(job.name, workerId);
  }
  wakeWorkers(ctx, boss, workers);
  watchLostJobs(ctx, boss, jobs);
}

/** Runs the jobs that are due, and those that they enqueue for later jobs of the list. Returns how many ran. For tests. */
export async function drain(boss: PgBoss, jobs: readonly AnyJob[], ctx: Context): Promise<number> {
  let ran = 0;
  for (const job of jobs) {
    await relayJobs(ctx, boss);
    for (const queued of await boss.fetch<object>(job.name, { includeMetadata: true, batchSize: 1000 })) {
      const { id, status, output } = await runJob(job, ctx, queued);
      await (status === 'completed' ? boss.complete(job.name, id) : boss.fail(job.name, id, output));
      ran += 1;
    }
  }
  return ran;
}

/** Whether a freeze stops this job. */
async function mustWait({ isOutgoing }: AnyJob, ctx: Context, data: object): Promise<boolean> {
  if (!isOutgoing || !(await isFrozen(ctx))) return false;
  return isOutgoing === true || isOutgoing(ctx, data);
}

type Run = { data: object | null; isLast: boolean };

/** Runs a job once, with the clock of its program. A job that must wait is enqueued again. */
export async function runOnce(job: AnyJob, ctx: Context, { data, isLast }: Run): Promise<void> {
  const given = data ?? {}; // Scheduled jobs have no data.
  const own = 'programId' in given && typeof given.programId === 'string' ? await toProgramContext(ctx, given.programId) : ctx;
  if (await mustWait(job, own, given)) await transact(own, (tx) => tx.jobs.enqueue(tx, job, given, { delaySeconds: retrySeconds }));
  else await job.run(own, given, { isLast });
}

/** Returns a result instead of throwing, so that a failing job does not fail the others of its batch. */
async function runJob(job: AnyJob, ctx: Context, { id, data, retryCount, retryLimit }: JobWithMetadata<object>): Promise<JobResult> {
  const isLast = retryCount >= retryLimit;
  try {
    await runOnce(job, ctx, { data, isLast });
    return { id, status: 'completed' };
  } catch (error) {
    ctx.log.warn({ err: error, job: job.name, jobId: id, isLast }, 'job failed');
    return { id, status: 'failed', output: { message: error instanceof Error ? error.message : String(error) } };
  }
}

const lostJobsMs = 5000;

/** Looks for jobs whose process has ended, until the queue ends. */
function watchLostJobs(ctx: Context, boss: PgBoss, jobs: readonly AnyJob[]): void {
  const stop = repeat(lostJobsMs, async () => {
    await retryLostJobs(ctx, boss, jobs).catch((error: unknown) => ctx.log.error({ err: error }, 'failed to look for lost jobs'));
  });
  boss.once('stopped', () => void stop());
}

const lookMs = 1000;

/**
 * Hands new jobs to the queue, and wakes the workers (id by queue) whose queue has a due job by the database's clock, which pg-boss
 * uses too. One query a second for all queues: pg-boss would send one for each, all at the same moment. Ends with the queue.
 */
function wakeWorkers(ctx: Pick<Context, 'db' | 'log'>, boss: PgBoss, workers: ReadonlyMap<string, string>): void {
  let isLooking = false;
  const look = async (): Promise<void> => {
    await relayJobs(ctx, boss).catch((error: unknown) => ctx.log.error({ err: error }, 'failed to hand jobs to the queue'));
    const { rows } = await sql<{ name: string }>`
      select queue.name from unnest(${[...workers.keys()]}::text[]) as queue (name)
      where exists (select from pgboss.job where job.name = queue.name and job.state < 'active' and job.start_after <= current_timestamp)`.execute(
      ctx.db,
    );
    for (const { name } of rows) boss.notifyWorker(workers.get(name) ?? '');
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((error: unknown) => ctx.log.error({ err: error }, 'failed to look for due jobs'))
      .finally(() => {
        isLooking = false;
      });
  }, lookMs);
  boss.once('stopped', () => clearInterval(timer));
}
