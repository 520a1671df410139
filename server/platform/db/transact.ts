// Transactions, which are repeated as a whole after a serialization failure or deadlock. This is safe because their only
// side effects are in the database: emails and jobs are rows until the commit.
import type { Context, Tx } from '../../context.ts';
import { Unavailable } from '../lib/errors.ts';
import { runTransaction, type Steps } from './statements/pipeline.ts';
import { isOutdatedPlan } from './statements/prepared-statements.ts';
import { isNodeLost, readOnly, sqlState } from './statements/sql-state.ts';

// serialization failure, deadlock, a server that became a standby
const repeatable = new Set(['40001', '40P01', readOnly]);
const maxAttempts = 4;

/** The database has rolled the transaction back, so that it can be repeated. */
export class RolledBack extends Unavailable {}

/** Whether `transact` runs the transaction again after this error. */
export function isRepeated(error: unknown): boolean {
  return error instanceof RolledBack || repeatable.has(sqlState(error)) || isNodeLost(error) || isOutdatedPlan(error);
}

/**
 * Runs `work` in a transaction and commits. Errors of `work` are thrown after a rollback; deadlocks and serialization
 * failures are retried up to three times.
 */
export function transact<T>(ctx: Context, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transactInSteps(ctx, { read: async () => {}, decide: work, write: () => [] });
}

/** As `transact`, in two round trips and those of `decide`: `read` is sent together with BEGIN, `write` with COMMIT. */
export async function transactInSteps<F, R>(ctx: Context, { read, decide, write }: Steps<Tx, F, R>): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    let { clock } = ctx;
    try {
      return await runTransaction<F, R>(ctx.db, {
        async read(db) {
          if (ctx.holdClock) clock = await ctx.holdClock(db);
          const tx = { ...ctx, db, clock };
          await ctx.beforeWrite?.(tx);
          return read(tx);
        },
        decide: (db, found) => decide({ ...ctx, db, clock }, found),
        write,
      });
    } catch (error) {
      if (attempt === maxAttempts || !isRepeated(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 2 ** attempt * 5 * (0.5 + Math.random())));
    }
  }
}
