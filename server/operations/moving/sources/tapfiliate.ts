// Tapfiliate. Conversions have the columns of its CSV files (support.tapfiliate.com/en/articles/2446220, which describes
// `external_id`, `affiliate_email`, `commission_status` and `commission_amount`); no page describes those of the other
// exports, so they are the fields of its REST API 1.6 (tapfiliate.com/docs/rest). Amounts are such as 12.50.
import { type Row, RowFault } from '../files/row.ts';
import type { CommissionState, PastRecord } from '../records.ts';
import { placeOf, type Source, toAffiliate, toBuyer, toCustomer, toPayout, toSale } from './source.ts';

/** Tapfiliate leaves `approved` empty until a person decides. */
const approvals = { true: 'active', yes: 'active', 1: 'active', false: 'rejected', no: 'rejected', 0: 'rejected' } as const;
const states: Record<string, CommissionState> = {
  approved: 'approved',
  true: 'approved',
  1: 'approved',
  pending: 'held',
  null: 'held',
  disapproved: 'rejected',
  rejected: 'rejected',
  false: 'rejected',
  0: 'rejected',
  paid: 'paid',
};

const affiliate = ['affiliate_email', 'affiliate.email', 'affiliate.id', 'affiliate_id'];
const status = ['commission_status', 'commission.approved', 'approved'];

export const tapfiliate: Source = {
  name: 'tapfiliate',
  title: 'Tapfiliate',
  amounts: 'decimal',
  files: [
    { name: 'affiliates', required: [['id'], ['email'], ['firstname', 'first_name']], read: readAffiliate },
    { name: 'customers', required: [['customer_id'], affiliate, ['created_at']], read: readCustomer },
    {
      name: 'conversions',
      required: [['external_id'], affiliate, ['amount'], ['created_at'], ['commission_amount', 'commission.amount'], status],
      read: readConversion,
    },
    { name: 'payments', required: [['id'], affiliate, ['amount'], ['created_at']], read: readPayment },
  ],
};

function readAffiliate(row: Row): PastRecord[] {
  const fields = {
    id: row.required('id'),
    email: row.required('email'),
    firstName: row.text('firstname', 'first_name'),
    lastName: row.text('lastname', 'last_name'),
    status: row.text('approved') === '' ? (row.has('approved') ? 'pending' : 'active') : row.oneOf(approvals, 'approved'),
    createdAt: row.timeOrNull('created_at'),
    upline: row.text('parent.id', 'parent_id', 'parent.email') || null,
  } as const;
  return toAffiliate(row, fields, [row.text('referral_code', 'ref', 'coupon')]);
}

function readCustomer(row: Row): PastRecord[] {
  const [id, email] = [row.required('customer_id'), row.text('email')];
  return [toCustomer(row, { id, email, affiliate: row.required(...affiliate), createdAt: row.timeOrNull('created_at') })];
}

/** A row is a conversion with one of its commissions. A correction is a commission below 0. */
function readConversion(row: Row): PastRecord[] {
  const [order, owner, createdAt] = [row.required('external_id'), row.required(...affiliate), row.time('created_at')];
  const amountCents = row.amount('commission_amount', 'commission.amount');
  const currency = row.currency('currency', 'commission.currency');
  const payout = row.text('commission.payout', 'payout', 'payment_id') || null;
  const level = row.text('commission.kind', 'kind');
  const commission: PastRecord = {
    ...placeOf(row),
    kind: 'commission',
    id: row.text('commission_id', 'commission.id') || order,
    affiliate: owner,
    order: amountCents < 0 ? null : order,
    amountCents,
    currency,
    state: readState(row, payout),
    createdAt: row.timeOrNull('commission.created_at') ?? createdAt,
    maturesAt: null,
    paidAt: row.timeOrNull('paid_at'),
    rejectedAt: null,
    payout,
    note: row.text('comment', 'commission.comment') || (amountCents < 0 ? `Correction of ${order}` : null),
  };
  if (amountCents < 0 || /mlm|level/i.test(level)) return [commission];
  const conversion = toSale(row, {
    id: order,
    affiliate: owner,
    amountCents: row.amount('amount'),
    refundedCents: 0,
    currency,
    occurredAt: createdAt,
    customer: toBuyer(row.text('customer_id', 'customer.customer_id'), ''),
  });
  return [conversion, commission];
}

/** An approved commission that a payment names was paid. */
function readState(row: Row, payout: string | null): CommissionState {
  const text = row.text(...status).toLowerCase();
  const state = text === '' ? 'held' : states[text];
  if (state === undefined) throw new RowFault(status[0] ?? '', `is ${text}, which is none of approved, pending, disapproved, paid`);
  return state === 'approved' && payout !== null ? 'paid' : state;
}

function readPayment(row: Row): PastRecord[] {
  return [
    toPayout(row, {
      id: row.required('id'),
      affiliate: row.required(...affiliate),
      amountCents: row.amount('amount'),
      currency: row.currency('currency'),
      paidAt: row.time('created_at'),
      reference: null,
    }),
  ];
}
