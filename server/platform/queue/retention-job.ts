// Jobs that delete or erase what is older than a number of days, in small steps.
import type { RawBuilder } from 'kysely';
import type { Context } from '../../context.ts';
import { forEachProgram } from './each-program.ts';
import { type Job, job } from './job.ts';

type Given = { oldest: Date; limit: number; now: Date };
type Statements = RawBuilder<unknown> | readonly RawBuilder<unknown>[];

type Retention = {
  name: string;
  cron: string;
  /** How long rows are kept; a function for what the operator sets. */
  days: number | ((ctx: Context) => number);
  rowsPerStatement: number;
  /** Statements that each change at most `limit` rows of the program from before `oldest`. */
  change(given: Given & { programId: string }): Statements;
};

type SharedRetention = Omit<Retention, 'change'> & {
  /** Statements that each change at most `limit` rows from before `oldest`. */
  change(given: Given): Statements;
};

/** Declares a job that repeats each statement, program by program, until nothing old remains. */
export function retentionJob({ change, ...retention }: Retention): Job<Record<string, never>> {
  return declare(retention, (ctx, given) =>
    forEachProgram(ctx, { run: (programId) => changeAll(ctx, given.limit, change({ ...given, programId })) }),
  );
}

/** The same for rows that belong to the installation and not to a program. */
export function sharedRetentionJob({ change, ...retention }: SharedRetention): Job<Record<string, never>> {
  return declare(retention, (ctx, given) => changeAll(ctx, given.limit, change(given)));
}

type Run = (ctx: Context, given: Given) => Promise<void>;

function declare({ name, cron, days, rowsPerStatement }: Omit<Retention, 'change'>, run: Run): Job<Record<string, never>> {
  return job({
    name,
    retries: 3,
    cron,
    async run(ctx) {
      const now = ctx.clock.now();
      const oldest = new Date(now.getTime() - (typeof days === 'number' ? days : days(ctx)) * 86_400_000);
      await run(ctx, { oldest, limit: rowsPerStatement, now });
    },
  });
}

async function changeAll(ctx: Pick<Context, 'db'>, size: number, statements: Statements): Promise<void> {
  for (const statement of [statements].flat()) await changeInBatches(ctx, size, statement);
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
