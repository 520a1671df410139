import type { Account, Kind } from './chart.ts';
import type { Transfer } from './post.ts';

type SignedTransfer = {
  kind: Kind;
  ref: string;
  affiliateId: string;
  commissionId: string | null;
  from: Account;
  to: Account;
  /** Below 0, the money moves from `to` to `from`. */
  cents: number;
};

/** The transfer of a signed amount; none for 0. */
export function move({ from, to, cents, ...rest }: SignedTransfer): Transfer[] {
  if (cents === 0) return [];
  return [cents > 0 ? { ...rest, debit: from, credit: to, cents } : { ...rest, debit: to, credit: from, cents: -cents }];
}
