// What another system knows about a program, in one form for all systems. The files of each are mapped to these records
// (sources/), and everything else is the same for all.

/** Where a record comes from: the file, and the row as a spreadsheet numbers it (the header is row 1). */
export type Place = { file: string; row: number };

/** Amounts by status, in cents: not payable yet, payable, paid. */
export type Balances = { pendingCents: number; approvedCents: number; paidCents: number };

export type AffiliateRecord = Place & {
  kind: 'affiliate';
  /** The id in the other system; its email address if it exports none. */
  id: string;
  /** Another id by which the files name the affiliate. */
  alias?: string;
  email: string;
  firstName: string;
  lastName: string;
  status: 'active' | 'pending' | 'suspended' | 'rejected' | 'archived';
  createdAt: Date | null;
  /** The id or the email address of the affiliate who recruited them, where the file contains it. */
  upline: string | null;
  /** What the other system says about the balance, where its file of affiliates contains it. */
  balances: Partial<Balances>;
};

/** A name in the affiliate's link. */
export type LinkRecord = Place & { kind: 'link'; affiliate: string; slug: string };

export type CustomerRecord = Place & {
  kind: 'customer';
  id: string;
  email: string | null;
  affiliate: string;
  createdAt: Date | null;
};

export type OrderRecord = Place & {
  kind: 'order';
  id: string;
  /** The id or the email address of the credited affiliate; null if only the commissions say it. */
  affiliate: string | null;
  amountCents: number;
  refundedCents: number;
  /** Null if the file has no column for it: then that of the program. */
  currency: string | null;
  occurredAt: Date;
  customer: { externalId: string | null; email: string | null } | null;
  /** It follows from a row of another kind, such as a commission; further rows can imply the same order. */
  isImplied?: boolean;
};

/** `held`: not payable until a person decides. `rejected` includes voided, denied and refunded. */
export type CommissionState = 'pending' | 'held' | 'approved' | 'paid' | 'rejected';

export type CommissionRecord = Place & {
  kind: 'commission';
  id: string;
  affiliate: string;
  /** Null for bonuses and corrections. */
  order: string | null;
  /** Below 0 only without an order. */
  amountCents: number;
  currency: string | null;
  state: CommissionState;
  createdAt: Date;
  /** When it becomes or became payable. */
  maturesAt: Date | null;
  paidAt: Date | null;
  /** When it was voided or rejected. */
  rejectedAt: Date | null;
  /** The payout that paid it, where the file names it. */
  payout: string | null;
  note: string | null;
};

export type PayoutRecord = Place & {
  kind: 'payout';
  id: string;
  affiliate: string;
  amountCents: number;
  currency: string | null;
  paidAt: Date;
  reference: string | null;
};

export type PastRecord = AffiliateRecord | LinkRecord | CustomerRecord | OrderRecord | CommissionRecord | PayoutRecord;
export type RecordKind = PastRecord['kind'];

/** A row, or what it describes, that is not taken, and why. */
export type Rejection = Place & {
  /** Empty if the reason is not about one column. */
  column: string;
  reason: string;
};
