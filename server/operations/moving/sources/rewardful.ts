// Rewardful. Its help describes no columns of its CSV exports, so these are the fields of its API, with the fields of nested
// objects as columns such as `sale.id`: developers.rewardful.com/rest-api (the affiliate, referral, commission and payout
// objects). Amounts are in cents there. Imported files have `token`, `stripe_customer_id` and the names of affiliates:
// help.rewardful.com/en/articles/1988486.
import type { Row } from '../files/row.ts';
import type { PastRecord } from '../records.ts';
import { placeOf, type Source, toAffiliate, toBuyer, toCustomer, toPayout, toSale } from './source.ts';

const affiliateStates = { active: 'active', disabled: 'suspended', suspicious: 'suspended', unconfirmed: 'pending' } as const;
const states = { pending: 'pending', due: 'approved', paid: 'paid', voided: 'rejected' } as const;

const affiliate = ['affiliate.id', 'affiliate_id', 'sale.affiliate.id', 'sale.referral.affiliate.id', 'affiliate.email', 'affiliate_email'];
const customer = ['stripe_customer_id', 'customer.id', 'sale.referral.stripe_customer_id', 'sale.referral.customer.id'];

export const rewardful: Source = {
  name: 'rewardful',
  title: 'Rewardful',
  amounts: 'cents',
  files: [
    { name: 'affiliates', required: [['id'], ['email'], ['first_name'], ['state', 'status']], read: readAffiliate },
    { name: 'referrals', required: [['id'], affiliate, customer, ['conversion_state', 'state']], read: readReferral },
    {
      name: 'commissions',
      required: [['id'], affiliate, ['amount', 'amount_cents'], ['state'], ['due_at'], ['created_at']],
      read: readCommission,
    },
    { name: 'payouts', required: [['id'], affiliate, ['amount', 'amount_cents'], ['state'], ['paid_at']], read: readPayout },
  ],
};

function readAffiliate(row: Row): PastRecord[] {
  const fields = {
    id: row.required('id'),
    email: row.required('email'),
    firstName: row.text('first_name'),
    lastName: row.text('last_name'),
    status: row.oneOf(affiliateStates, 'state', 'status'),
    createdAt: row.timeOrNull('created_at'),
  };
  return toAffiliate(row, fields, row.text('token', 'links.token', 'tokens').split(/[;|\s]+/));
}

/** Visitors and leads without a customer are not imported: nothing is known about them here. */
function readReferral(row: Row): PastRecord[] {
  const id = row.text(...customer);
  if (id === '') return [];
  const email = row.text('customer.email', 'email');
  return [toCustomer(row, { id, email, affiliate: row.required(...affiliate), createdAt: row.timeOrNull('created_at') })];
}

/** A commission contains its sale. */
function readCommission(row: Row): PastRecord[] {
  const owner = row.required(...affiliate);
  const order = row.text('sale.stripe_charge_id', 'stripe_charge_id') || row.text('sale.id', 'sale_id') || null;
  const createdAt = row.time('created_at');
  const currency = row.currency('currency');
  const sale = toSale(row, {
    id: order ?? '',
    affiliate: owner,
    amountCents: row.amountOrZero('sale.sale_amount_cents', 'sale_amount_cents', 'sale.charge_amount_cents'),
    refundedCents: row.amountOrZero('sale.refund_amount_cents', 'refund_amount_cents'),
    currency,
    occurredAt: row.timeOrNull('sale.charged_at', 'sale.created_at') ?? createdAt,
    customer: toBuyer(row.text(...customer), row.text('sale.referral.customer.email')),
  });
  const commission: PastRecord = {
    ...placeOf(row),
    kind: 'commission',
    id: row.required('id'),
    affiliate: owner,
    order,
    amountCents: row.amount('amount', 'amount_cents'),
    currency,
    state: row.oneOf(states, 'state'),
    createdAt,
    maturesAt: row.timeOrNull('due_at'),
    paidAt: row.timeOrNull('paid_at'),
    rejectedAt: row.timeOrNull('voided_at'),
    payout: row.text('payout.id', 'payout_id') || null,
    note: null,
  };
  return order === null ? [commission] : [sale, commission];
}

/** A payout that is not paid yet is not imported: its commissions are due. */
function readPayout(row: Row): PastRecord[] {
  if (row.required('state').toLowerCase() !== 'paid') return [];
  return [
    toPayout(row, {
      id: row.required('id'),
      affiliate: row.required(...affiliate),
      amountCents: row.amount('amount', 'amount_cents'),
      currency: row.currency('currency'),
      paidAt: row.time('paid_at'),
      reference: null,
    }),
  ];
}
