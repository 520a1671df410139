// Background jobs: work that runs after the transaction that enqueued it has committed. A job is declared in the
// domain folder it belongs to and listed in schedule.ts.
import type { Context, JobName } from '../../context.ts';

export type Job<Data extends object> = JobName<Data> & {
  /** Attempts after the first one, with growing pauses. */
  retries: number;
  /** Cron expression (UTC) for jobs that run on a schedule. */
  cron?: string;
  run(ctx: Context, data: Data, attempt: { isLast: boolean }): Promise<void>;
};

export function job<Data extends object>(declaration: Job<Data>): Job<Data> {
  return declaration;
}

/** Names a job where it can't be imported: it is declared further down, or in the same file. */
export function jobName<Data extends object>(name: string): JobName<Data> {
  return { name };
}
