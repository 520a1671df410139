// The chart of accounts, and every way in which money may move between them. An affiliate's four
// accounts say how far what they earned has come; the program's two say what it cost.

export const accounts = ['commissions', 'written_off', 'pending', 'available', 'in_transit', 'paid'] as const;
export type Account = (typeof accounts)[number];

/** Accounts of the affiliate. What stands in the first three is owed to them. */
export const affiliateAccounts = ['pending', 'available', 'in_transit', 'paid'] as const;
export type AffiliateAccount = (typeof affiliateAccounts)[number];

type Movement = { meaning: string; between: readonly (readonly [debit: Account, credit: Account])[] };

/** Between what commissions cost and what an affiliate is owed. */
const bothWays = [
  ['commissions', 'pending'],
  ['commissions', 'available'],
  ['pending', 'commissions'],
  ['available', 'commissions'],
] as const;

export const movements = {
  accrue: { meaning: 'Earned by an order; payable once it has matured.', between: [['commissions', 'pending']] },
  mature: {
    meaning: 'The hold is over: payable. A deduction matures the other way.',
    between: [
      ['pending', 'available'],
      ['available', 'pending'],
    ],
  },
  hold: {
    meaning: 'Payable money is held back again.',
    between: [
      ['available', 'pending'],
      ['pending', 'available'],
    ],
  },
  reverse: {
    meaning: 'Taken back, because the order was refunded or the commission rejected. A deduction is given back.',
    between: bothWays,
  },
  restore: { meaning: 'A reversal is undone.', between: bothWays },
  adjust: { meaning: 'A correction or a bonus, by hand and with a reason.', between: bothWays },
  reserve: { meaning: 'Set aside for a payout.', between: [['available', 'in_transit']] },
  settle: { meaning: 'The payout has arrived.', between: [['in_transit', 'paid']] },
  release: { meaning: 'The payout failed: payable again.', between: [['in_transit', 'available']] },
  return: { meaning: 'The payout came back after it had arrived.', between: [['paid', 'available']] },
  write_off: { meaning: 'A debt that the affiliate need not pay.', between: [['written_off', 'available']] },
} as const satisfies Record<string, Movement>;

export type Kind = keyof typeof movements;

/** Whether money may move so. */
export function isMovement(kind: Kind, debit: Account, credit: Account): boolean {
  const between: readonly (readonly [Account, Account])[] = movements[kind].between;
  return between.some(([from, to]) => from === debit && to === credit);
}

export function isAffiliateAccount(account: Account): account is AffiliateAccount {
  return affiliateAccounts.some((known) => known === account);
}
