// Runs the waiting jobs of one program in their order, instead of handing them to the queue: while the clock of a program is
// advanced, each moment must be finished before the next one begins.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { advanceJobName } from '../test-clocks/write-clock.ts';
import { type AnyJob, runOnce } from './queue.ts';

type Row = { id: string; name: string; data: object };
type Waiting = {
  jobs: readonly AnyJob[];
  /** The ids of jobs that failed. They are left for the queue, which retries them later. */
  failed: Set<string>;
};

/** Returns how many jobs ran. `ctx` has the clock of the program. */
export async function runWaitingJobs(ctx: Context, programId: string, { jobs, failed }: Waiting): Promise<number> {
  const { rows } = await sql<Row>`
    select id, name, data from job_outbox
    where program_id = ${programId} and start_at <= current_timestamp and name <> ${advanceJobName} and id <> all(${[...failed]}::uuid[])
    order by id`.execute(ctx.db);
  for (const { id, name, data } of rows) {
    try {
      const found = jobs.find((one) => one.name === name);
      if (!found) throw new Error(`Unknown job: ${name}.`);
      await runOnce(found, ctx, { data, isLast: false });
      await sql`delete from job_outbox where program_id = ${programId} and id = ${id}`.execute(ctx.db);
    } catch (error) {
      ctx.log.warn({ err: error, job: name, jobId: id }, 'job failed');
      failed.add(id);
    }
  }
  return rows.length;
}
