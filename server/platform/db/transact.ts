// Transactions, which are repeated as a whole after a serialization failure or deadlock. This is safe because their only
// side effects are in the database: emails and jobs are rows until the commit.
import type { Context, Tx } from '../../context.ts';
import { type CommitWith, runTransaction } from './statements/pipeline.ts';
import { outdatedPlan } from './statements/prepared-statements.ts';

// serialization failure, deadlock, a statement that was prepared before a migration
const repeatable = new Set(['40001', '40P01', outdatedPlan]);
const maxAttempts = 4;

/**
 * Runs `work` in a transaction and commits. Errors of `work` are thrown after a rollback; deadlocks and serialization
 * failures are retried up to three times. What `work` hands to `commitWith` is sent together with COMMIT.
 */
export async function transact<T>(ctx: Context, work: (tx: Tx, commitWith: CommitWith) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { beforeWrite } = ctx;
      return await runTransaction(ctx.db, {
        check: beforeWrite && { ...beforeWrite, run: (db) => beforeWrite.run({ ...ctx, db }) },
        work: (db, commitWith) => work({ ...ctx, db }, commitWith),
      });
    } catch (error) {
      if (attempt === maxAttempts || !repeatable.has(sqlState(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 2 ** attempt * 5 * (0.5 + Math.random())));
    }
  }
}

/** The SQLSTATE of a PostgreSQL error, or the code of a Node socket error, or ''. */
export function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
