// What is due and what is skipped, grouped by reason in the order in which someone can act on it. Pure.
import type { Result } from '../../../api/call.ts';

export type Due = Result<'payouts.due'>;
export type DueRow = Due['due'][number];
export type SkippedRow = Due['skipped'][number];
export type SkipReason = SkippedRow['reason'];

/** The reasons that affiliates or members can change come first. */
const reasons = [
  'no_payout_method',
  'tax_form_missing',
  'on_hold',
  'exchange_rate_missing',
  'currency_unavailable',
  'vat_rate_missing',
  'below_minimum',
  'affiliate_not_active',
  'provider_unavailable',
  'negative_balance',
  'amount_too_large',
] as const satisfies readonly SkipReason[];

export type SkipGroup = { reason: SkipReason; rows: SkippedRow[]; amountCents: number };

/** The skipped affiliates by reason, each with the largest amounts first; reasons without affiliates are omitted. */
export function groupSkipped(skipped: readonly SkippedRow[]): SkipGroup[] {
  return reasons.flatMap((reason) => {
    const rows = skipped.filter((row) => row.reason === reason).toSorted((a, b) => b.amountCents - a.amountCents);
    return rows.length === 0 ? [] : [{ reason, rows, amountCents: rows.reduce((sum, row) => sum + row.amountCents, 0) }];
  });
}

/** The name of the affiliate of a row. */
export function nameOf({ affiliate, affiliateId }: { affiliate?: { name: string } | undefined; affiliateId: string }): string {
  return affiliate?.name ?? affiliateId;
}

/** Lists with more affiliates can be searched. */
export const searchedFrom = 5;

/** Whether every word is part of the name, ignoring case and accents. */
export function matchesName(row: Parameters<typeof nameOf>[0], search: string): boolean {
  const name = fold(nameOf(row));
  return fold(search)
    .split(/\s+/)
    .every((word) => name.includes(word));
}

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .trim();
}
