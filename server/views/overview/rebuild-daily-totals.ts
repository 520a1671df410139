// After a change of a program's time zone its daily totals are summed up again by the days of the new one.

import { sql } from 'kysely';
import { openLedger } from '../../earning/ledger/post.ts';
import { foldClicksOf } from '../../partners/affiliates/totals/fold-clicks.ts';
import { rebuildDailyTotals } from '../../partners/affiliates/totals/rebuild-daily-totals.ts';
import { transact } from '../../platform/db/transact.ts';
import { job } from '../../platform/queue/job.ts';

export const rebuildDailyTotalsJob = job<{ programId: string }>({
  name: 'daily_totals.rebuild',
  retries: 10,
  async run(ctx, { programId }) {
    // Only clicks of the last days may be pending while days are counted again.
    await foldClicksOf(ctx, programId);
    await transact(ctx, async (tx) => {
      await sql`set local statement_timeout = '10min'`.execute(tx.db);
      await openLedger(tx, programId);
      await rebuildDailyTotals(tx, programId);
    });
  },
});
