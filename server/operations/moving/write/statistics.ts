// An import fills tables faster than the database notices. It gathers their statistics itself whenever it has written as much again.
import type { Tx } from '../../../context.ts';
import { analyzeTables } from '../../../platform/db/statements/analyze.ts';

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

const firstAt = 500;
/** Of 9,000 rows: it is enough to know which programs have most rows. */
const sample = 30;

/** Counts what is written, to decide when statistics are outdated: whenever as much was written again. */
export function createStatistics(): { areDue(table: string, written: number): boolean } {
  const counts = new Map<string, { done: number; nextAt: number }>();
  return {
    areDue(table, written) {
      const { done, nextAt } = counts.get(table) ?? { done: 0, nextAt: firstAt };
      const isDue = done + written >= nextAt;
      counts.set(table, { done: done + written, nextAt: isDue ? 2 * (done + written) : nextAt });
      return isDue;
    },
  };
}

export function gatherStatistics(tx: Pick<Tx, 'db'>): Promise<void> {
  return analyzeTables(tx, tables, sample);
}
