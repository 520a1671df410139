import type { Context, Tx } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';

class Rehearsed extends Error {}

/** Runs `work` in a transaction, which is rolled back in a dry run. */
export async function rehearse<Result>(ctx: Context, isDryRun: boolean, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const outcome: { result?: Result } = {};
  try {
    await transact(ctx, async (tx) => {
      outcome.result = await work(tx);
      if (isDryRun) throw new Rehearsed();
    });
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error;
  }
  return outcome.result as Result;
}
