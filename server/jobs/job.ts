// Work that is done later, after the transaction that asked for it has committed. Declared beside the
// domain it belongs to and listed in jobs.ts.
import type { Context } from '../context.ts';

export type Job<Data extends object> = {
  name: string;
  /** Tries after the first one, with growing pauses. */
  retries: number;
  /** Cron expression (UTC) for jobs that a schedule starts. */
  cron?: string;
  run(ctx: Context, data: Data, attempt: { isLast: boolean }): Promise<void>;
};

export function job<Data extends object>(declaration: Job<Data>): Job<Data> {
  return declaration;
}
