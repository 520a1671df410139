import type { StatementLine } from './read-statement.ts';

const entryNames: Record<string, string> = {
  accrue: 'Commission',
  reverse: 'Reversal',
  restore: 'Reversal undone',
  adjust: 'Adjustment',
  settle: 'Payout',
  return: 'Payout returned',
};

/** "Commission, order FF-10023" or "Commission, lead signup-5120". */
export function describeLine({ entry, orderId, lead, reason }: Pick<StatementLine, 'entry' | 'orderId' | 'lead' | 'reason'>): string {
  return [entryNames[entry] ?? entry, orderId && `order ${orderId}`, lead && `lead ${lead}`, reason].filter(Boolean).join(', ');
}

/** 2026-03 → March 2026. */
export function formatMonth(month: string): string {
  return new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01T00:00:00Z`));
}
