// FirstPromoter. Its documentation describes no columns of its CSV exports, so these are the fields of its API, with the
// fields of nested objects as columns such as `promoter_campaign.promoter.id`: docs.firstpromoter.com/api-reference-v2
// (promoters, referrals, commissions, payouts) and, where the names differ, /api-reference-v1 (rewards, payouts). Amounts
// are in cents there.
import { type Row, RowFault } from '../files/row.ts';
import type { CommissionState, PastRecord } from '../records.ts';
import { placeOf, type Source, splitName, toAffiliate, toBuyer, toCustomer, toPayout, toSale } from './source.ts';

const promoterStates = {
  active: 'active',
  accepted: 'active',
  approved: 'active',
  pending: 'pending',
  rejected: 'rejected',
  blocked: 'suspended',
  suspended: 'suspended',
  inactive: 'suspended',
  archived: 'archived',
} as const;
const states = { pending: 'pending', approved: 'approved', denied: 'rejected' } as const;

const promoter = [
  'promoter_campaign.promoter.id',
  'promoter.id',
  'promoter_id',
  'promoter_campaign.promoter.email',
  'promoter.email',
  'promoter_email',
];
const saleAmount = ['sale_amount', 'conversion_amount'];

export const firstpromoter: Source = {
  name: 'firstpromoter',
  title: 'FirstPromoter',
  amounts: 'cents',
  files: [
    { name: 'promoters', required: [['id'], ['email'], ['name', 'first_name', 'profile.first_name']], read: readPromoter },
    { name: 'referrals', required: [['id'], promoter, ['email', 'uid'], ['customer_since', 'state']], read: readReferral },
    {
      name: 'commissions',
      required: [['id'], promoter, ['amount'], ['status'], ['is_paid', 'paid'], ['created_at'], saleAmount],
      read: readCommission,
    },
    { name: 'payouts', required: [['id'], promoter, ['amount'], ['status'], ['paid_at', 'completed_at', 'created_at']], read: readPayout },
  ],
};

function readPromoter(row: Row): PastRecord[] {
  const split = splitName(row.text('name'));
  const fields = {
    id: row.required('id'),
    email: row.required('email'),
    firstName: row.text('first_name', 'profile.first_name') || split.firstName,
    lastName: row.text('last_name', 'profile.last_name') || split.lastName,
    status: row.text('state', 'status') === '' ? ('active' as const) : row.oneOf(promoterStates, 'state', 'status'),
    createdAt: row.timeOrNull('joined_at', 'created_at'),
    upline: row.text('parent_promoter_id', 'parent_promoter.id', 'parent_promoter.email') || null,
  };
  return toAffiliate(row, fields, [row.text('ref_token', 'default_ref_id', 'promoter_campaigns.ref_token', 'ref_id')]);
}

/** A customer is known by the `uid` that your system gave them, or else by the email address. */
function readReferral(row: Row): PastRecord[] {
  const email = row.text('email');
  const id = row.text('uid') || email || row.required('id');
  return [toCustomer(row, { id, email, affiliate: row.required(...promoter), createdAt: row.timeOrNull('created_at') })];
}

/** A commission contains its sale; those of higher tiers belong to the sale of the first tier. */
function readCommission(row: Row): PastRecord[] {
  const unit = row.text('unit') || 'cash';
  if (unit !== 'cash') throw new RowFault('unit', `is ${unit}; only money is imported`);
  const [id, owner, createdAt, amountCents] = [row.required('id'), row.required(...promoter), row.time('created_at'), row.amount('amount')];
  const hasSale = amountCents >= 0 && row.text('commission_type') !== 'custom' && row.text(...saleAmount) !== '';
  const order = hasSale ? row.text('event_id') || `firstpromoter-${id}` : null;
  const commission: PastRecord = {
    ...placeOf(row),
    kind: 'commission',
    id,
    affiliate: owner,
    order,
    amountCents,
    currency: row.currency('currency'),
    state: readState(row),
    createdAt,
    maturesAt: row.timeOrNull('due_at'),
    paidAt: row.timeOrNull('paid_at'),
    rejectedAt: row.timeOrNull('status_updated_at'),
    payout: row.text('payout.id', 'payout_id') || null,
    note: row.text('external_note') || null,
  };
  if (order === null || Number(row.text('tier', 'tier_level') || 1) > 1) return [commission];
  const sale = toSale(row, {
    id: order,
    affiliate: owner,
    amountCents: Math.max(0, row.amount(...saleAmount)),
    refundedCents: 0,
    currency: row.currency('currency'),
    occurredAt: createdAt,
    customer: toBuyer(row.text('referral.uid', 'lead.uid'), row.text('referral.email', 'lead.email')),
  });
  return [sale, commission];
}

function readState(row: Row): CommissionState {
  const state = row.oneOf(states, 'status');
  return state === 'approved' && /^(true|yes|1)$/i.test(row.text('is_paid', 'paid')) ? 'paid' : state;
}

/** Payouts that were not completed are not imported: their commissions are not paid. */
function readPayout(row: Row): PastRecord[] {
  if (!/^(completed|paid)$/i.test(row.required('status'))) return [];
  return [
    toPayout(row, {
      id: row.required('id'),
      affiliate: row.required(...promoter),
      amountCents: row.amount('amount'),
      currency: row.currency('currency'),
      paidAt: row.timeOrNull('paid_at', 'completed_at') ?? row.time('created_at'),
      reference: row.text('transaction_id', 'reference'),
    }),
  ];
}
