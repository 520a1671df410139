// Background jobs that had not completed. They belong to the changes that enqueued them, so a backup contains them. The
// queue's own tables depend on its version: the jobs are stored as JSON and enqueued again, under their ids.
import type pg from 'pg';
import type { JobInsert, PgBoss } from 'pg-boss';
import { z } from 'zod';
import { queueKeyNotices, sendKeyNotice } from '../../messaging/emails/kinds/key-notice.ts';
import { sendSecurityNotice } from '../../messaging/emails/kinds/security-notice.ts';
import { sendSignInEmail } from '../../messaging/emails/kinds/sign-in/send.ts';

/**
 * Jobs that wait to be handed to the queue are included. So are those that were running: a job may run more than once, and never
 * takes effect twice. The waiting ones are read first, because a cluster doesn't join them with the queue.
 */
export const selectOpenJobs = `
  with waiting as materialized (select name, id, data, start_at, created_at from job_outbox)
  select jsonb_build_object('name', name, 'id', id, 'data', data, 'priority', priority, 'startAfter', start_after,
    'singletonKey', singleton_key, 'createdAt', created_on)
  from (
    select name, id, data, priority, start_after, singleton_key, created_on from pgboss.job
    where state in ('created', 'retry', 'active') and name not like '\\_\\_%'
    union all
    select name, id, data, 0, start_at, null, created_at from waiting
    where not exists (select from pgboss.job where job.name = waiting.name and job.id = waiting.id)
  ) as open order by created_on, id`;

const OpenJob = z.object({
  name: z.string(),
  id: z.string(),
  data: z.record(z.string(), z.unknown()).nullable(),
  priority: z.number(),
  startAfter: z.coerce.date(),
  singletonKey: z.string().nullable(),
  createdAt: z.coerce.date(),
});
type OpenJob = z.infer<typeof OpenJob>;

const pageSize = 1000;

/** Jobs that send an email which is not stored. */
const emailJobs: ReadonlySet<string> = new Set([sendSignInEmail.name, sendSecurityNotice.name, queueKeyNotices.name, sendKeyNotice.name]);

/** Where the rows of the backup are collected until `enqueueJobs`. */
export const jobsTarget = 'restored_jobs (job)';

export async function createJobsTarget(client: pg.PoolClient): Promise<void> {
  await client.query(
    'create temporary table restored_jobs (number bigint generated always as identity, job jsonb not null) on commit drop',
  );
}

type Options = {
  boss: PgBoss;
  now: Date;
  /** Jobs that only send an email are left out when they are older. */
  oldAfterHours: number;
};

/** Replaces the jobs of the queue by those of the backup, in the transaction of `client`. Returns how many there are. */
export async function enqueueJobs(client: pg.PoolClient, { boss, now, oldAfterHours }: Options): Promise<number> {
  const oldBefore = new Date(now.getTime() - oldAfterHours * 3_600_000);
  await client.query('delete from pgboss.job');
  const known = new Set((await boss.getQueues()).map(({ name }) => name));
  const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
  let enqueued = 0;
  for (let after = 0; ; after += pageSize) {
    const page = await client.query<{ job: unknown }>('select job from restored_jobs where number > $1 and number <= $2 order by number', [
      after,
      after + pageSize,
    ]);
    if (page.rows.length === 0) return enqueued;
    const jobs = page.rows
      .map(({ job }) => OpenJob.parse(job))
      .filter(({ name, createdAt }) => known.has(name) && !(emailJobs.has(name) && createdAt < oldBefore));
    for (const [name, group] of Map.groupBy(jobs, (job) => job.name))
      await boss.insert(name, group.map((job) => toInsert(job, now)), { db }); // biome-ignore format: one call
    enqueued += jobs.length;
  }
}

/** A job is kept for a time after it may start; one that could start long ago starts now, so that it isn't deleted. */
function toInsert({ id, data, priority, startAfter, singletonKey }: OpenJob, now: Date): JobInsert {
  const job: JobInsert = { id, priority, startAfter: startAfter > now ? startAfter : now };
  if (data !== null) job.data = data;
  if (singletonKey !== null) job.singletonKey = singletonKey;
  return job;
}
