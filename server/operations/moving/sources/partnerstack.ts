// PartnerStack. Its help describes no columns of its exports, so these are the fields of its API v2, with the fields of nested
// objects as columns such as `partnership.key`: docs.partnerstack.com/reference (partnerships, customers, transactions,
// rewards). Amounts are in cents, times are Unix times in milliseconds.
import { type Row, RowFault } from '../files/row.ts';
import type { CommissionState, PastRecord } from '../records.ts';
import { placeOf, type Source, toAffiliate, toBuyer, toCustomer } from './source.ts';

const partnerStates = {
  approved: 'active',
  active: 'active',
  pending: 'pending',
  declined: 'rejected',
  rejected: 'rejected',
  archived: 'archived',
} as const;

/** support.partnerstack.com/hc/en-us/articles/360009840773: rewards are new, approved, declined, on hold or paid; `pending` in the API. */
const states = {
  new: 'pending',
  pending: 'pending',
  approved: 'approved',
  hold: 'held',
  held: 'held',
  declined: 'rejected',
  paid: 'paid',
} as const;

/**
 * `payment_status` of an approved reward; these are all that GET /api/v2/rewards filters by. The program pays PartnerStack, which
 * pays the partner: from `available` on, the program has paid, unless it was refunded. Without a payment status it has not.
 */
const payments: Record<string, CommissionState> = {
  available: 'paid',
  in_transit: 'paid',
  withdrawn: 'paid',
  paid_externally: 'paid',
  failed: 'paid',
  merging: 'paid',
  paid_and_refunded: 'rejected',
  expired: 'rejected',
};

const partner = ['partnership.key', 'partnership_key', 'partnership.partner_key', 'partner_key', 'partnership.email', 'partner_email'];

export const partnerstack: Source = {
  name: 'partnerstack',
  title: 'PartnerStack',
  amounts: 'cents',
  files: [
    { name: 'partnerships', required: [['key', 'partner_key'], ['email'], ['first_name'], ['last_name']], read: readPartnership },
    { name: 'customers', required: [['key', 'customer_key'], ['email'], partner, ['created_at']], read: readCustomer },
    { name: 'transactions', required: [['key'], ['amount'], ['currency'], ['created_at']], read: readTransaction },
    { name: 'rewards', required: [['key'], ['amount'], ['created_at'], ['reward_status', 'status'], partner], read: readReward },
  ],
};

/** The partner key is also the name in their link. */
function readPartnership(row: Row): PastRecord[] {
  const partnerKey = row.text('partner_key');
  const id = row.text('key') || row.required('partner_key');
  const fields = {
    id,
    alias: partnerKey === id ? '' : partnerKey,
    email: row.required('email'),
    firstName: row.text('first_name'),
    lastName: row.text('last_name'),
    status: row.text('approved_status', 'status') === '' ? ('active' as const) : row.oneOf(partnerStates, 'approved_status', 'status'),
    createdAt: row.timeOrNull('joined_at', 'created_at'),
  };
  return toAffiliate(row, fields, [partnerKey]);
}

function readCustomer(row: Row): PastRecord[] {
  const [id, email] = [row.text('customer_key') || row.required('key'), row.text('email')];
  return [toCustomer(row, { id, email, affiliate: row.required(...partner), createdAt: row.timeOrNull('created_at') })];
}

/** A transaction names no partner: its rewards do. */
function readTransaction(row: Row): PastRecord[] {
  return [
    {
      ...placeOf(row),
      kind: 'order',
      id: row.required('key'),
      affiliate: null,
      amountCents: row.amount('amount'),
      refundedCents: 0,
      currency: row.currency('currency'),
      occurredAt: row.time('created_at'),
      customer: toBuyer(row.text('customer_key', 'customer.customer_key', 'customer.key'), row.text('customer.email')),
    },
  ];
}

function readReward(row: Row): PastRecord[] {
  const amountCents = row.amount('amount');
  return [
    {
      ...placeOf(row),
      kind: 'commission',
      id: row.required('key'),
      affiliate: row.required(...partner),
      order: amountCents < 0 ? null : row.text('transaction.key', 'transaction_key') || null,
      amountCents,
      currency: row.currency('currency'),
      state: readState(row),
      createdAt: row.time('created_at'),
      maturesAt: null,
      paidAt: row.timeOrNull('paid_at', 'updated_at'),
      rejectedAt: row.timeOrNull('updated_at'),
      payout: null,
      note: row.text('description') || null,
    },
  ];
}

function readState(row: Row): CommissionState {
  const state = row.oneOf(states, 'reward_status', 'status');
  const text = row.text('payment_status').toLowerCase();
  if (state !== 'approved' || text === '') return state;
  const paid = payments[text];
  // Paying twice is worse than a row that is not taken.
  if (paid === undefined) throw new RowFault('payment_status', `is ${text}, which is none of ${Object.keys(payments).join(', ')}`);
  return paid;
}
