// What the affiliate sold, earned and was paid.
import { sql } from 'kysely';
import { z } from 'zod';
import { centsOut, countOut, currencyOut, timestampOut, uuidOut } from '../../../../platform/http/declaration/fields.ts';
import { createdAfter, type Dated, section } from '../section.ts';
import { bountySubmissions } from './bounties.ts';

const at = '2026-11-02T09:12:44.000Z';

const orders = section<Dated>({
  name: 'orders',
  meaning: 'Orders that are credited to the affiliate.',
  tables: ['conversions'],
  row: z.object({
    orderId: z.string(),
    amountCents: centsOut,
    refundedCents: centsOut,
    currency: currencyOut,
    status: z.string(),
    method: z.string().describe('What credited the order: `click`, `coupon`, `referral_code`, `customer` or `affiliate`.'),
    couponCode: z.string().nullable().describe('The coupon that credited the order.'),
    subIds: z.array(z.string()).describe('Of the link that was clicked, from `sub1` on.'),
    occurredAt: timestampOut,
    createdAt: timestampOut,
  }),
  example: {
    orderId: 'FF-10023',
    amountCents: 24_900,
    refundedCents: 0,
    currency: 'USD',
    status: 'pending',
    method: 'click',
    couponCode: null,
    subIds: ['newsletter'],
    occurredAt: at,
    createdAt: at,
  },
  // Coupons and sub IDs of an order that was moved belong to the affiliate who was credited before.
  select: ({ programId, affiliateId }, last) => sql`
    select summary.id, sold.order_id, sold.amount_cents, sold.refunded_cents, sold.currency, summary.status, sold.method,
      coupon.code as coupon_code, sold.occurred_at, summary.created_at,
      case when sold.facts -> 'affiliate' ->> 'id' = ${affiliateId} then sold.sub_ids else '{}' end as sub_ids
    from conversion_summaries as summary
    join conversions as sold on sold.program_id = ${programId} and sold.id = summary.id
    left join coupons as coupon
      on coupon.program_id = ${programId} and coupon.id = sold.coupon_id and coupon.affiliate_id = ${affiliateId}
    where summary.program_id = ${programId} and summary.affiliate_id = ${affiliateId} and ${createdAfter('summary', last)}
    order by summary.created_at, summary.id`,
});

const leads = section<Dated>({
  name: 'leads',
  meaning: 'Leads that are credited to the affiliate.',
  tables: ['leads'],
  row: z.object({
    externalId: z.string().describe("The lead's id at the program."),
    name: z.string().nullable().describe('What the customer signed up for.'),
    method: z.string().describe('What credited the lead.'),
    occurredAt: timestampOut,
    rejectedAt: timestampOut.nullable(),
    createdAt: timestampOut,
  }),
  example: { externalId: 'lead-77', name: 'Newsletter', method: 'click', occurredAt: at, rejectedAt: null, createdAt: at },
  select: ({ programId, affiliateId }, last) => sql`
    select id, external_id, name, method, occurred_at, rejected_at, created_at from leads
    where program_id = ${programId} and affiliate_id = ${affiliateId} and ${createdAfter('leads', last)} order by created_at, id`,
});

const commissions = section<Dated>({
  name: 'commissions',
  meaning: 'Commissions, with the order or lead that each was earned for.',
  tables: ['commissions'],
  row: z.object({
    id: uuidOut,
    kind: z.string().describe('`order`, `adjustment`, `bonus` or `lead`.'),
    level: countOut.describe('1: own orders. 2: orders of affiliates whom this one recruited.'),
    orderId: z.string().nullable(),
    leadExternalId: z.string().nullable().describe('The lead that it was earned for.'),
    amountCents: centsOut.describe('As earned.'),
    reversedCents: centsOut.describe('The part that returns have reversed.'),
    settledCents: centsOut.describe('The part that was paid.'),
    currency: currencyOut,
    status: z.string(),
    maturesAt: timestampOut.describe('From when it is payable.'),
    createdAt: timestampOut,
  }),
  example: {
    id: '01980a53-8e11-7b52-9c4d-1a2b3c4d5e6f',
    kind: 'order',
    level: 1,
    orderId: 'FF-10023',
    leadExternalId: null,
    amountCents: 3_735,
    reversedCents: 0,
    settledCents: 0,
    currency: 'USD',
    status: 'pending',
    maturesAt: '2026-12-02T09:12:44.000Z',
    createdAt: at,
  },
  select: ({ programId, affiliateId }, last) => sql`
    select earned.id, earned.kind, earned.level, sold.order_id, lead.external_id as lead_external_id, earned.amount_cents,
      earned.reversed_cents, earned.settled_cents, earned.currency, earned.status, earned.matures_at, earned.created_at
    from commissions as earned
    left join conversions as sold on sold.program_id = ${programId} and sold.id = earned.conversion_id
    left join leads as lead on lead.program_id = ${programId} and lead.id = earned.lead_id
    where earned.program_id = ${programId} and earned.affiliate_id = ${affiliateId} and ${createdAfter('earned', last)}
    order by earned.created_at, earned.id`,
});

const balance = section<object>({
  name: 'balance',
  meaning: 'The balance: one row, or none before the first commission.',
  tables: ['ledger_balances'],
  row: z.object({
    pendingCents: centsOut,
    availableCents: centsOut.describe('Payable. Negative if a return is to be set off against the next payout.'),
    inTransitCents: centsOut,
    paidCents: centsOut,
    currency: currencyOut,
  }),
  example: { pendingCents: 3_735, availableCents: 0, inTransitCents: 0, paidCents: 12_850, currency: 'USD' },
  select: ({ programId, affiliateId }) => sql`
    select own.pending_cents, own.available_cents, own.in_transit_cents, own.paid_cents, program.currency
    from ledger_balances as own join programs as program on program.id = ${programId}
    where own.program_id = ${programId} and own.affiliate_id = ${affiliateId}`,
});

const ledger = section<{ seq: number }>({
  name: 'ledger',
  meaning: 'The ledger entries that the balance and the monthly statements are made of.',
  tables: ['ledger_entries'],
  row: z.object({
    seq: countOut.describe("The number in the program's ledger."),
    kind: z.string(),
    debit: z.string().describe('The account that the amount left.'),
    credit: z.string().describe('The account that received it.'),
    amountCents: centsOut,
    currency: currencyOut,
    createdAt: timestampOut,
  }),
  example: { seq: 1204, kind: 'accrue', debit: 'commissions', credit: 'pending', amountCents: 3_735, currency: 'USD', createdAt: at },
  select: ({ programId, affiliateId }, last) => sql`
    select seq, kind, debit, credit, cents as amount_cents, currency, created_at from ledger_entries
    where program_id = ${programId} and affiliate_id = ${affiliateId} and seq > ${last?.seq ?? 0} order by seq`,
});

const claims = section<Dated>({
  name: 'claims',
  meaning: 'Missing sales that the affiliate reported.',
  tables: ['claims'],
  row: z.object({
    orderId: z.string(),
    status: z.string(),
    note: z.string().nullable(),
    decisionNote: z.string().nullable().describe('The reason for the decision.'),
    createdAt: timestampOut,
    decidedAt: timestampOut.nullable(),
  }),
  example: { orderId: 'FF-10024', status: 'open', note: 'Bought on my stream', decisionNote: null, createdAt: at, decidedAt: null },
  select: ({ programId, affiliateId }, last) => sql`
    select id, order_id, status, note, decision_note, created_at, decided_at from claims
    where program_id = ${programId} and affiliate_id = ${affiliateId} and ${createdAfter('claims', last)} order by created_at, id`,
});

const payoutDetails = section<object>({
  name: 'payoutDetails',
  meaning: 'Where payouts go, without account numbers: one row, or none.',
  tables: ['payout_details'],
  row: z.object({
    method: z.string(),
    payoutCurrency: currencyOut.nullable().describe('The other currency in which the affiliate chose to be paid.'),
    effectiveAt: timestampOut.describe('Payouts are on hold until this time.'),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  }),
  example: { method: 'paypal', payoutCurrency: null, effectiveAt: at, createdAt: at, updatedAt: at },
  select: ({ programId, affiliateId }) => sql`
    select method, payout_currency, usable_from as effective_at, created_at, updated_at from payout_details
    where program_id = ${programId} and affiliate_id = ${affiliateId}`,
});

const taxForms = section<Dated>({
  name: 'taxForms',
  meaning: 'Tax forms, without their contents.',
  tables: ['tax_forms'],
  row: z.object({
    kind: z.string(),
    country: z.string(),
    signedAt: timestampOut,
    expiresAt: timestampOut.nullable(),
    supersededAt: timestampOut.nullable().describe('When a newer form replaced it.'),
    createdAt: timestampOut,
  }),
  example: { kind: 'w8ben', country: 'DE', signedAt: at, expiresAt: '2030-01-01T00:00:00.000Z', supersededAt: null, createdAt: at },
  select: ({ programId, affiliateId }, last) => sql`
    select id, kind, country, signed_at, valid_until as expires_at, superseded_at, created_at from tax_forms
    where program_id = ${programId} and affiliate_id = ${affiliateId} and ${createdAfter('tax_forms', last)} order by created_at, id`,
});

const payouts = section<Dated>({
  name: 'payouts',
  meaning: 'Payouts to the affiliate.',
  tables: ['payouts'],
  row: z.object({
    id: uuidOut,
    amountCents: centsOut,
    currency: currencyOut,
    exchangeCurrency: currencyOut.nullable().describe('The currency that was paid, if it was another one.'),
    exchangeCents: centsOut.nullable().describe('The amount in `exchangeCurrency`.'),
    exchangeRate: z.string().nullable().describe('What one unit of `exchangeCurrency` was worth in `currency`.'),
    status: z.string(),
    method: z.string().nullable(),
    reference: z.string().nullable().describe("The payout provider's reference for the payment."),
    createdAt: timestampOut,
    settledAt: timestampOut.nullable().describe('When it was paid, failed, returned or cancelled.'),
  }),
  example: {
    id: '01980a7c-31d2-7b44-8c0e-5f6a7b8c9d10',
    amountCents: 12_850,
    currency: 'USD',
    exchangeCurrency: null,
    exchangeCents: null,
    exchangeRate: null,
    status: 'paid',
    method: 'paypal',
    reference: 'ext_4711',
    createdAt: at,
    settledAt: at,
  },
  select: ({ programId, affiliateId }, last) => sql`
    select id, amount_cents, currency, exchange_currency, exchange_cents, exchange_rate::text, status, method, provider_reference as reference, created_at, settled_at from payouts
    where program_id = ${programId} and affiliate_id = ${affiliateId} and ${createdAfter('payouts', last)} order by created_at, id`,
});

const invoiceAgreements = section<{ version: number }>({
  name: 'invoiceAgreements',
  meaning: 'Agreements to invoices and their withdrawals, without the details that invoices show.',
  tables: ['invoice_details'],
  row: z.object({
    version: countOut,
    isAgreed: z.boolean().describe('False: the agreement was withdrawn.'),
    country: z.string().nullable(),
    isSmallBusiness: z.boolean(),
    language: z.string(),
    createdAt: timestampOut,
  }),
  example: { version: 1, isAgreed: true, country: 'DE', isSmallBusiness: false, language: 'de', createdAt: at },
  select: ({ programId, affiliateId }, last) => sql`
    select version, is_agreed, country, is_small_business, language, created_at from invoice_details
    where program_id = ${programId} and affiliate_id = ${affiliateId} and version > ${last?.version ?? 0} order by version`,
});

const invoices = section<Dated>({
  name: 'invoices',
  meaning: 'Invoices that the program issued for the affiliate, and their cancellations. The portal has the documents.',
  tables: ['invoices'],
  row: z.object({
    number: z.string(),
    kind: z.string().describe('`invoice` or `cancellation`.'),
    payoutId: uuidOut,
    vatCase: z.string(),
    vatCents: centsOut.describe('Included in the amount.'),
    amountCents: centsOut,
    currency: currencyOut,
    createdAt: timestampOut,
  }),
  example: {
    number: 'FF-2026-0001',
    kind: 'invoice',
    payoutId: '01980a7c-31d2-7b44-8c0e-5f6a7b8c9d10',
    vatCase: 'domestic',
    vatCents: 2052,
    amountCents: 12_850,
    currency: 'EUR',
    createdAt: at,
  },
  select: ({ programId, affiliateId }, last) => sql`
    select id, number, kind, payout_id, vat_case, vat_cents, amount_cents, currency, created_at from invoices
    where program_id = ${programId} and affiliate_id = ${affiliateId} and ${createdAfter('invoices', last)} order by created_at, id`,
});

export const moneySections = [
  orders,
  leads,
  commissions,
  balance,
  ledger,
  claims,
  bountySubmissions,
  payoutDetails,
  taxForms,
  payouts,
  invoiceAgreements,
  invoices,
];
