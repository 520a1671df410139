import type { StatementLine } from './statement.ts';

const entryWords: Record<string, string> = {
  accrue: 'Commission',
  reverse: 'Taken back',
  restore: 'Given back',
  adjust: 'Adjustment',
  settle: 'Payout',
  return: 'Payout returned',
};

/** "Commission, order FF-10023". */
export function lineWords({ entry, orderId, reason }: Pick<StatementLine, 'entry' | 'orderId' | 'reason'>): string {
  return [entryWords[entry] ?? entry, orderId && `order ${orderId}`, reason].filter(Boolean).join(', ');
}

/** 2026-03 → March 2026. */
export function monthWords(month: string): string {
  return new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01T00:00:00Z`));
}
