import type { Account, Kind } from './chart.ts';
import type { Transfer } from './post.ts';

type Move = {
  kind: Kind;
  ref: string;
  affiliateId: string;
  commissionId: string | null;
  from: Account;
  to: Account /** Signed: below 0 it goes back. */;
  cents: number;
};

/** The transfer of a signed amount, or nothing for 0: a negative amount goes the other way. */
export function move({ from, to, cents, ...rest }: Move): Transfer[] {
  if (cents === 0) return [];
  return [cents > 0 ? { ...rest, debit: from, credit: to, cents } : { ...rest, debit: to, credit: from, cents: -cents }];
}
