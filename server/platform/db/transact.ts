// Transactions, which are repeated as a whole after a serialization failure or deadlock. This is safe because their only
// side effects are in the database: emails and jobs are rows until the commit.
import type { Context, Tx } from '../../context.ts';
import { runTransaction } from './statements/pipeline.ts';
import { outdatedPlan } from './statements/prepared-statements.ts';
import { sqlState } from './statements/sql-state.ts';

// serialization failure, deadlock, a statement that was prepared before a migration
const repeatable = new Set(['40001', '40P01', outdatedPlan]);
const maxAttempts = 4;

/**
 * Runs `work` in a transaction and commits. Errors of `work` are thrown after a rollback; deadlocks and serialization
 * failures are retried up to three times.
 */
export async function transact<T>(ctx: Context, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { beforeWrite } = ctx;
      return await runTransaction(ctx.db, {
        check: beforeWrite && ((db) => beforeWrite({ ...ctx, db })),
        work: (db) => work({ ...ctx, db }),
      });
    } catch (error) {
      if (attempt === maxAttempts || !repeatable.has(sqlState(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 2 ** attempt * 5 * (0.5 + Math.random())));
    }
  }
}
