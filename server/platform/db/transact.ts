// Transactions, repeated as a whole when PostgreSQL asks for it. Bodies have no side effects outside
// the database, so a repeat is safe; mails and jobs are rows first.
import type { Context, Tx } from '../../context.ts';

const repeatable = new Set(['40001', '40P01']); // serialization failure, deadlock
const maxTries = 4;

/**
 * Runs `work` in one transaction and commits it. Throws what `work` throws (after a rollback);
 * a deadlock or serialization failure is tried again up to three times.
 */
export async function transact<T>(ctx: Context, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ctx.db.transaction().execute(async (db) => {
        const tx: Tx = { ...ctx, db };
        await ctx.beforeWrite?.(tx);
        return work(tx);
      });
    } catch (error) {
      if (attempt === maxTries || !repeatable.has(sqlState(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 2 ** attempt * 5 * (0.5 + Math.random())));
    }
  }
}

/** The five characters by which PostgreSQL (or Node, for a socket) names a fault, or ''. */
export function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
