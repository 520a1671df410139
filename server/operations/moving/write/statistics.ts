// An import fills tables faster than the database notices. It gathers their statistics itself whenever it has written as much again.
import type { Context } from '../../../context.ts';
import { removeStatementTimeout } from '../../../platform/db/statement-timeout.ts';
import { analyzeTables } from '../../../platform/db/statements/analyze.ts';
import { transact } from '../../../platform/db/transact.ts';

const tables = [
  'affiliates',
  'shortLinks',
  'conversions',
  'conversionSummaries',
  'commissions',
  'commissionHolds',
  'customers',
  'customerKeys',
  'refunds',
  'refundLines',
  'payouts',
  'payoutLines',
  'ledgerEntries',
  'dailyTotals',
  'importedRecords',
] as const;

const firstAt = 1000;
/** Of 3,000 rows: it is enough to know that most rows belong to the program. */
const quickSample = 10;

/** Returns a function to call after each transaction, with the number of records that are written. */
export function createStatistics(ctx: Context): (done: number) => Promise<void> {
  let nextAt = firstAt;
  return async (done) => {
    if (done < nextAt) return;
    nextAt = 2 * done;
    await transact(ctx, async (tx) => {
      await removeStatementTimeout(tx);
      await analyzeTables(tx, tables, quickSample);
    });
  };
}
