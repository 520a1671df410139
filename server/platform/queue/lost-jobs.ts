// Finds jobs whose process was killed. The queue itself repeats a job after a quarter of an hour, because it can't tell a killed
// process from a slow one; jobs with `heartbeatSeconds` show that their process is alive.
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Context } from '../../context.ts';
import type { Job } from './job.ts';

type Watched = Pick<Job<object>, 'name' | 'heartbeatSeconds'>;
type Lost = { name: string; id: string };

/** Lets the queue retry jobs without a heartbeat. */
export async function retryLostJobs({ db, log }: Pick<Context, 'db' | 'log'>, boss: PgBoss, jobs: readonly Watched[]): Promise<void> {
  const names = jobs.filter(({ heartbeatSeconds }) => heartbeatSeconds !== undefined).map(({ name }) => name);
  const { rows } = await sql<Lost>`
    select name, id from pgboss.job
    where name = any(${names}::text[]) and state = 'active' and heartbeat_on + make_interval(secs => heartbeat_seconds) < current_timestamp`.execute(
    db,
  );
  for (const { name, id } of rows) {
    log.warn({ job: name, jobId: id }, 'the process that ran a job has ended');
    await boss.fail(name, id, { message: 'The process that ran it has ended.' });
  }
}
