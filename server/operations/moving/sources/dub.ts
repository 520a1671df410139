// Dub. The columns are those of the exports in its console, which its source shows (github.com/dubinc/dub, the export columns
// of partners, commissions and payouts in apps/web/lib/zod/schemas); partner columns must be chosen when exporting. Amounts
// are written such as $12.50. Customers are the fields of its API (dub.co/api-reference).
import type { Row } from '../files/row.ts';
import type { PastRecord } from '../records.ts';
import { placeOf, type Source, splitName, toAffiliate, toBuyer, toCustomer, toPayout, toSale } from './source.ts';

const partnerStatuses = {
  approved: 'active',
  pending: 'pending',
  invited: 'pending',
  rejected: 'rejected',
  declined: 'rejected',
  deactivated: 'suspended',
  banned: 'suspended',
  archived: 'archived',
} as const;

/** `processed`: part of a payout that is not sent yet. */
const states = {
  pending: 'pending',
  hold: 'held',
  processed: 'approved',
  paid: 'paid',
  refunded: 'rejected',
  duplicate: 'rejected',
  fraud: 'rejected',
  canceled: 'rejected',
} as const;

const partner = ['Partner ID', 'partner.id', 'Partner email', 'partner.email'];
const createdAt = ['Created at', 'createdAt'];

export const dub: Source = {
  name: 'dub',
  title: 'Dub',
  amounts: 'decimal',
  files: [
    { name: 'partners', required: [['id'], ['name'], ['email'], ['status'], ['Enrolled at', 'createdAt']], read: readPartner },
    { name: 'customers', required: [['externalId', 'External ID'], partner, createdAt], read: readCustomer },
    { name: 'commissions', required: [['id'], ['type'], ['amount'], ['earnings'], ['status'], createdAt, partner], read: readCommission },
    { name: 'payouts', required: [['id'], ['amount'], ['status'], ['Paid at', 'paidAt'], partner], read: readPayout },
  ],
};

function readPartner(row: Row): PastRecord[] {
  const fields = {
    id: row.required('id'),
    email: row.required('email'),
    ...splitName(row.text('name')),
    status: row.oneOf(partnerStatuses, 'status'),
    createdAt: row.timeOrNull('Enrolled at', 'createdAt'),
  };
  return toAffiliate(row, fields, [row.text('Link key', 'links.key', 'key')]);
}

function readCustomer(row: Row): PastRecord[] {
  const [id, email] = [row.required('externalId', 'External ID'), row.text('email')];
  return [toCustomer(row, { id, email, affiliate: row.required(...partner), createdAt: row.timeOrNull(...createdAt) })];
}

/** `Amount` is that of the sale, `Earnings` what the partner gets. Clicks, leads, custom commissions and clawbacks have no sale. */
function readCommission(row: Row): PastRecord[] {
  const [id, owner, at, amountCents] = [row.required('id'), row.required(...partner), row.time(...createdAt), row.amount('earnings')];
  const order = row.required('type').toLowerCase() === 'sale' && amountCents >= 0 ? row.text('Invoice ID', 'invoiceId') || id : null;
  const currency = row.currency('currency');
  const buyer = row.text('Customer external ID', 'customer.externalId') || row.text('Customer ID', 'customer.id');
  const commission: PastRecord = {
    ...placeOf(row),
    kind: 'commission',
    id,
    affiliate: owner,
    order,
    amountCents,
    currency,
    state: row.oneOf(states, 'status'),
    createdAt: at,
    maturesAt: null,
    paidAt: row.timeOrNull('Paid at', 'paidAt', 'Updated at', 'updatedAt'),
    rejectedAt: row.timeOrNull('Updated at', 'updatedAt'),
    payout: row.text('Payout ID', 'payoutId') || null,
    note: row.text('description') || null,
  };
  if (order === null) return [commission];
  const sale = toSale(row, {
    id: order,
    affiliate: owner,
    amountCents: row.amount('amount'),
    refundedCents: row.text('status').toLowerCase() === 'refunded' ? row.amount('amount') : 0,
    currency,
    occurredAt: at,
    customer: toBuyer(buyer, row.text('Customer email', 'customer.email')),
  });
  return [sale, commission];
}

/** Payouts that were not sent are not imported: their commissions are not paid. */
function readPayout(row: Row): PastRecord[] {
  if (!/^(completed|sent)$/i.test(row.required('status'))) return [];
  return [
    toPayout(row, {
      id: row.required('id'),
      affiliate: row.required(...partner),
      amountCents: row.amount('amount'),
      currency: row.currency('currency'),
      paidAt: row.time('Paid at', 'paidAt'),
      reference: row.text('Payout trace ID', 'traceId'),
    }),
  ];
}
