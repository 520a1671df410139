// Jobs that delete or erase what is older than a number of days, in small steps.
import type { RawBuilder } from 'kysely';
import type { Context } from '../../context.ts';
import { type Job, job } from './job.ts';

type Given = { oldest: Date; limit: number; now: Date; db: Context['db'] };
type Statements = RawBuilder<unknown> | readonly RawBuilder<unknown>[];

type Retention = {
  name: string;
  cron: string;
  /** How long rows are kept; a function for what the operator sets. */
  days: number | ((ctx: Context) => number);
  rowsPerStatement: number;
  /** Statements that each change at most `limit` rows from before `oldest`. */
  change(given: Given): Statements | Promise<Statements>;
};

/** Declares a job that repeats each statement until nothing old remains. */
export function retentionJob({ name, cron, days, rowsPerStatement, change }: Retention): Job<Record<string, never>> {
  return job({
    name,
    retries: 3,
    cron,
    async run(ctx) {
      const now = ctx.clock.now();
      const oldest = new Date(now.getTime() - (typeof days === 'number' ? days : days(ctx)) * 86_400_000);
      const statements = await change({ oldest, limit: rowsPerStatement, now, db: ctx.db });
      for (const statement of [statements].flat()) await changeInBatches(ctx, rowsPerStatement, statement);
    },
  });
}

/**
 * Repeats a statement that changes at most `size` rows until it changes fewer. Each run commits on its own, so that no row is
 * locked for long, and an interrupted job continues where it stopped.
 */
async function changeInBatches({ db }: Pick<Context, 'db'>, size: number, change: RawBuilder<unknown>): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await change.execute(db);
    if (numAffectedRows < size) return;
  }
}
