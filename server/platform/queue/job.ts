// Background jobs run after the transaction that enqueued them has committed. A job is declared in the domain folder
// that it belongs to, and listed in schedule.ts.
import type { Context, JobName } from '../../context.ts';

export type Job<Data extends object> = JobName<Data> & {
  /** Attempts after the first one, with exponential backoff. */
  retries: number;
  /** Sends something to the outside: while the service is frozen, it stays queued. A function decides for each job. */
  isOutgoing?: true | ((ctx: Context, data: Data) => Promise<boolean>);
  /**
   * After how many seconds without a sign of life from its process the job is retried, at least 10. Without it, after a quarter of
   * an hour.
   */
  heartbeatSeconds?: number;
  /** Cron expression (UTC) for jobs that run on a schedule. */
  cron?: string;
  run(ctx: Context, data: Data, attempt: { isLast: boolean }): Promise<void>;
};

export function job<Data extends object>(declaration: Job<Data>): Job<Data> {
  return declaration;
}

/** A job's name, for code that can't import the job because it is declared in a folder that depends on this one. */
export function jobName<Data extends object>(name: string): JobName<Data> {
  return { name };
}
