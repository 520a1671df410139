// Plain CSV files, for systems that have no file here: one file per kind of record. docs/guides/migrating.md describes the
// columns.
import type { Row } from '../files/row.ts';
import type { AffiliateRecord, CommissionRecord, CustomerRecord, LinkRecord, OrderRecord, PastRecord, PayoutRecord } from '../records.ts';
import { placeOf, type Source, splitName, toAffiliate, toBuyer, toCustomer } from './source.ts';

const affiliateStatuses = {
  active: 'active',
  approved: 'active',
  pending: 'pending',
  suspended: 'suspended',
  rejected: 'rejected',
  archived: 'archived',
} as const;

const states = {
  pending: 'pending',
  held: 'held',
  approved: 'approved',
  paid: 'paid',
  rejected: 'rejected',
  reversed: 'rejected',
} as const;

export const csv: Source = {
  name: 'csv',
  title: 'plain CSV',
  amounts: 'decimal',
  files: [
    { name: 'affiliates', required: [['email'], ['firstName', 'name']], read: readAffiliate },
    { name: 'links', required: [['affiliate'], ['slug']], read: (row) => [readLink(row)] },
    { name: 'customers', required: [['customerId'], ['affiliate']], read: (row) => [readCustomer(row)] },
    { name: 'orders', required: [['orderId'], ['affiliate'], ['amount', 'amountCents'], ['occurredAt']], read: (row) => [readOrder(row)] },
    {
      name: 'commissions',
      required: [['commissionId'], ['affiliate'], ['amount', 'amountCents'], ['status'], ['createdAt']],
      read: (row) => [readCommission(row)],
    },
    { name: 'payouts', required: [['payoutId'], ['affiliate'], ['amount', 'amountCents'], ['paidAt']], read: (row) => [readPayout(row)] },
  ],
};

function readAffiliate(row: Row): PastRecord[] {
  const split = splitName(row.text('name'));
  const balance = (field: string) => (row.text(field, `${field}Cents`) === '' ? undefined : row.amount(field, `${field}Cents`));
  return toAffiliate(row, {
    id: row.text('id', 'affiliateId') || row.required('email'),
    email: row.required('email'),
    firstName: row.text('firstName') || split.firstName,
    lastName: row.text('lastName') || split.lastName,
    status: row.text('status') === '' ? 'active' : row.oneOf(affiliateStatuses, 'status'),
    createdAt: row.timeOrNull('createdAt'),
    upline: row.text('upline') || null,
    balances: withoutGaps({ pendingCents: balance('pending'), approvedCents: balance('approved'), paidCents: balance('paid') }),
  });
}

function withoutGaps(balances: Record<string, number | undefined>): AffiliateRecord['balances'] {
  return Object.fromEntries(Object.entries(balances).filter(([, cents]) => cents !== undefined));
}

function readLink(row: Row): LinkRecord {
  return { ...placeOf(row), kind: 'link', affiliate: row.required('affiliate'), slug: row.required('slug') };
}

function readCustomer(row: Row): CustomerRecord {
  const [id, email] = [row.required('customerId'), row.text('email')];
  return toCustomer(row, { id, email, affiliate: row.required('affiliate'), createdAt: row.timeOrNull('createdAt') });
}

function readOrder(row: Row): OrderRecord {
  return {
    ...placeOf(row),
    kind: 'order',
    id: row.required('orderId'),
    affiliate: row.required('affiliate'),
    amountCents: row.amount('amount', 'amountCents'),
    refundedCents: row.amountOrZero('refunded', 'refundedCents'),
    currency: row.currency('currency'),
    occurredAt: row.time('occurredAt'),
    customer: toBuyer(row.text('customerId'), row.text('customerEmail')),
  };
}

function readCommission(row: Row): CommissionRecord {
  return {
    ...placeOf(row),
    kind: 'commission',
    id: row.required('commissionId'),
    affiliate: row.required('affiliate'),
    order: row.text('orderId') || null,
    amountCents: row.amount('amount', 'amountCents'),
    currency: row.currency('currency'),
    state: row.oneOf(states, 'status'),
    createdAt: row.time('createdAt'),
    maturesAt: row.timeOrNull('maturesAt'),
    paidAt: row.timeOrNull('paidAt'),
    rejectedAt: row.timeOrNull('rejectedAt'),
    payout: row.text('payoutId') || null,
    note: row.text('note') || null,
  };
}

function readPayout(row: Row): PayoutRecord {
  return {
    ...placeOf(row),
    kind: 'payout',
    id: row.required('payoutId'),
    affiliate: row.required('affiliate'),
    amountCents: row.amount('amount', 'amountCents'),
    currency: row.currency('currency'),
    paidAt: row.time('paidAt'),
    reference: row.text('reference') || null,
  };
}
