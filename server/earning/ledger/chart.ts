// The chart of accounts, and every movement of money that is allowed between them. An affiliate has four accounts
// (money not matured, payable, in payouts, paid); the program has one, the cost of its commissions.

export const accounts = ['commissions', 'pending', 'available', 'in_transit', 'paid'] as const;
export type Account = (typeof accounts)[number];

/** Accounts of the affiliate. The balances of the first three are owed to them. */
export const affiliateAccounts = ['pending', 'available', 'in_transit', 'paid'] as const;
export type AffiliateAccount = (typeof affiliateAccounts)[number];

type Movement = { description: string; between: readonly (readonly [debit: Account, credit: Account])[] };

/** Between the cost of commissions and the amounts owed to affiliates. */
const bothDirections = [
  ['commissions', 'pending'],
  ['commissions', 'available'],
  ['pending', 'commissions'],
  ['available', 'commissions'],
] as const;

export const movements = {
  accrue: { description: 'Commission earned by an order; payable once it has matured.', between: [['commissions', 'pending']] },
  mature: {
    description: 'The hold period has ended and the commission is payable. A deduction matures in the opposite direction.',
    between: [
      ['pending', 'available'],
      ['available', 'pending'],
    ],
  },
  hold: {
    description: 'A payable commission is on hold again.',
    between: [
      ['available', 'pending'],
      ['pending', 'available'],
    ],
  },
  reverse: {
    description: 'Clawed back, because the order was refunded or the commission rejected. A deduction is credited again.',
    between: bothDirections,
  },
  restore: { description: 'A reversal was undone.', between: bothDirections },
  adjust: { description: 'A manual correction or bonus.', between: bothDirections },
  reserve: { description: 'Reserved for a payout.', between: [['available', 'in_transit']] },
  settle: { description: 'The payout has arrived.', between: [['in_transit', 'paid']] },
  release: { description: 'The payout failed, and its commissions are payable again.', between: [['in_transit', 'available']] },
  return: { description: 'The payout was returned after it had arrived.', between: [['paid', 'available']] },
} as const satisfies Record<string, Movement>;

export type Kind = keyof typeof movements;
