// Rows and requests of everything that earns: rules, orders, commissions, refunds, claims, fraud alerts.
import assert from 'node:assert/strict';
import { anAffiliate, anOrder, aRule } from '../builders.ts';
import type { TestProgram, TestService } from '../harness.ts';

export type MoneyIds = {
  active: string;
  bounty: string;
  bountySubmission: string;
  otherSubmission: string;
  rule: string;
  conversion: string;
  changed: string;
  cancelled: string;
  second: string;
  commission: string;
  held: string;
  fraudEvent: string;
  claim: string;
  unattributedOrder: string;
  orderMismatch: string;
  refund: string;
  entry: string;
  dispute: string;
  orderId: string;
  lead: string;
  rejectableLead: string;
  customer: string;
};
type Sample = [params: Record<string, string>, body: Record<string, unknown> | undefined];

/** One row of each, in a program of the test. */
export async function moneySampleRows(service: TestService, name: string, program: TestProgram = service.program): Promise<MoneyIds> {
  const { id: active, email } = await anAffiliate(service, { status: 'active' }, program);
  const rule = await aRule(service, {}, program);
  const orderId = `${name}-sample`;
  const first = await anOrder(service, { orderId, affiliateId: active }, program);
  const { id: second } = await anAffiliate(service, { status: 'active' }, program);
  const changed = await anOrder(service, { orderId: `${name}-changed`, affiliateId: active }, program);
  const cancelled = await anOrder(service, { orderId: `${name}-cancelled`, affiliateId: active }, program);
  const held = await anOrder(service, { orderId: `${name}-held`, affiliateId: active, customer: { email } }, program);
  const post = async (path: string, body: object, status: number) => {
    const response = await service.request('POST', path, { body, key: program.key });
    assert.equal(response.status, status, response.text);
    return response.body;
  };
  const events = await service.request('GET', `${program.path}/fraud-events`, { key: program.key });
  await post('/v1/conversions', { orderId: `${name}-lost`, amountCents: 900 }, 422);
  const claim = await post(`${program.path}/claims`, { affiliateId: active, orderId: `${name}-lost` }, 201);
  const fraudEvent = events.body.fraudEvents[0].id;
  const unattributed = await service.request('GET', `${program.path}/unattributed-orders?orderId=${name}-lost`, { key: program.key });
  await post('/v1/conversions', { orderId, affiliateId: active, amountCents: 1 }, 409);
  const mismatches = await service.request('GET', `${program.path}/order-mismatches?orderId=${orderId}`, { key: program.key });
  const refund = await post('/v1/refunds', { refundId: `${name}-refund`, orderId, amountCents: 1 }, 201);
  await post(`${program.path}/commissions/${held.commissions[0].id}/hold`, { note: 'Held manually too' }, 200);
  const ledger = await service.request('GET', `${program.path}/ledger/entries?limit=1`, { key: program.key });
  const dispute = await post('/v1/disputes', { disputeId: `${name}-dispute`, orderId: `${name}-held`, status: 'opened' }, 201);
  const leadOf = (externalId: string) => ({ externalId, affiliateId: active, customer: { externalId } });
  const lead = await post('/v1/leads', leadOf(`${name}-lead`), 201);
  const rejectable = await post('/v1/leads', leadOf(`${name}-rejectable`), 201);
  const terms = { name: 'Review', description: 'Write a review.', milestone: 'content', rewardCents: 100 };
  const bounty = await post(`${program.path}/bounties`, terms, 201);
  const submitted = { bountyId: bounty.id, affiliateId: active, url: 'https://blog.example.com/review' };
  const submission = await post(`${program.path}/bounty-submissions`, submitted, 201);
  const { id: bountyId } = await post(`${program.path}/bounties`, { ...terms, name: 'Film' }, 201);
  const other = await post(`${program.path}/bounty-submissions`, { ...submitted, bountyId }, 201);
  return {
    bounty: bounty.id,
    bountySubmission: submission.id,
    otherSubmission: other.id,
    active,
    rule,
    lead: lead.id,
    rejectableLead: rejectable.id,
    customer: lead.customerId,
    conversion: first.id,
    changed: changed.id,
    cancelled: cancelled.id,
    second,
    commission: first.commissions[0].id,
    held: held.commissions[0].id,
    fraudEvent,
    claim: claim.id,
    unattributedOrder: unattributed.body.unattributedOrders[0].id,
    orderMismatch: mismatches.body.orderMismatches[0].id,
    refund: refund.id,
    entry: ledger.body.entries[0].id,
    dispute: dispute.id,
    orderId,
  };
}

/** The same by the part of a path that names them. */
export async function moneyRows(service: TestService, program: TestProgram): Promise<Record<string, string>> {
  const ids = await moneySampleRows(service, 'rows', program);
  return {
    'commission-rules': ids.rule,
    commissions: ids.commission,
    conversions: ids.conversion,
    'fraud-events': ids.fraudEvent,
    claims: ids.claim,
    bounties: ids.bounty,
    'bounty-submissions': ids.bountySubmission,
    'unattributed-orders': ids.unattributedOrder,
    'order-mismatches': ids.orderMismatch,
    refunds: ids.refund,
    entries: ids.entry,
    disputes: ids.dispute,
    leads: ids.lead,
    customers: ids.customer,
  };
}

/** A request of each endpoint that would be taken. */
export function moneySamples(
  serial: number,
  ids: MoneyIds & { affiliate: string; product: string; group: string },
): Record<string, Sample> {
  return {
    ...rules(serial, ids),
    ...bounties(ids),
    ...orders(serial, ids),
    ...commissions(ids),
    ...afterwards(serial, ids),
    ...leads(serial, ids),
  };
}

function bounties({ bounty, bountySubmission, otherSubmission, second }: MoneyIds): Record<string, Sample> {
  const terms = {
    name: 'Ten sales',
    description: 'Sell.',
    rewardCents: 100,
    budgetCents: 900,
    startsOn: '2026-04-01',
    endsOn: '2099-12-31',
  };
  return {
    'bounties.create': [{}, { ...terms, milestone: 'orders', targetOrders: 10 }],
    'bounties.get': [{ id: bounty }, undefined],
    'bounties.update': [{ id: bounty }, { name: 'Review', description: 'Write.', budgetCents: null, endsOn: null, status: 'active' }],
    'bountySubmissions.create': [{}, { bountyId: bounty, affiliateId: second, url: 'https://blog.example.com/2', note: 'N' }],
    'bountySubmissions.get': [{ id: bountySubmission }, undefined],
    'bountySubmissions.decideLater': [{ id: otherSubmission }, { decision: 'rejected', note: 'N' }],
    'bountySubmissions.decide': [{ id: bountySubmission }, { decision: 'approved', note: 'N' }],
  };
}

function rules(serial: number, { rule, product, group, active }: MoneyIds & { product: string; group: string }): Record<string, Sample> {
  const terms = {
    type: 'percentage',
    rate: 12.5,
    trigger: 'every',
    durationMonths: 12,
    maxOccurrences: 9,
    minPerOrderCents: 1,
    maxPerOrderCents: 99_999,
    budgetCents: 1_000_000,
    budgetPeriod: 'month',
    excludeCouponOrders: false,
    effectiveFrom: '2026-01-01T00:00:00Z',
    tiers: [{ metric: 'conversions', period: 'month', from: 5, rate: 15 }],
    conditions: [
      { field: 'country', operator: 'in', value: ['US'] },
      { field: 'orderAmountCents', operator: 'at_least', value: 5 },
    ],
  };
  const span = { from: '2026-01-01T00:00:00Z', to: '2026-06-01T00:00:00Z' };
  return {
    'commissionRules.create': [{}, { name: `R${serial}`, productId: product, groupId: group, ...terms }],
    'commissionRules.get': [{ id: rule }, undefined],
    'commissionRules.update': [{ id: rule }, { name: `S${serial}`, ...terms, status: 'active' }],
    'commissionRules.resolve': [{}, undefined],
    'conversions.test': [{}, { amountCents: 500, affiliateId: active }],
    'commissionRules.previewEmails': [{}, { add: [{ name: 'Sample', type: 'percentage', rate: 12 }] }],
    'commissionRules.preview': [{}, { orderId: 'p', amountCents: 500, affiliateId: active }],
    'commissionRules.simulate': [{}, { ...span, add: [{ name: 'x', type: 'flat', amountCents: 5 }], replace: [], archiveRuleIds: [rule] }],
  };
}

function orders(serial: number, ids: MoneyIds & { product: string }): Record<string, Sample> {
  const { active, product, conversion, claim, second } = ids;
  const item = { productId: product, quantity: 2, amountCents: 1000, discountCents: 100, sku: 's', name: 'n', externalProductId: 'e' };
  const customer = { externalId: `c${serial}`, email: `buyer${serial}@example.com`, isNew: true, country: 'US' };
  const order = {
    orderId: `o${serial}`,
    amountCents: 850,
    currency: 'USD',
    affiliateId: active,
    couponCode: 'X',
    referralCode: 'Y',
    clickId: 'z',
    items: [item],
    customer,
    discountCents: 50,
    taxCents: 1,
    shippingCents: 2,
    subId: 's',
    metadata: { a: 1 },
    subscription: { externalId: 's', sequence: 1 },
    occurredAt: '2026-03-01T10:00:00Z',
    cartStartedAt: '2026-03-01T09:00:00Z',
  };
  return {
    'conversions.report': [{}, order],
    'conversions.reportBatch': [{}, { conversions: [{ ...order, orderId: `b${serial}` }, { orderId: 'bad' }] }],
    'conversions.get': [{ id: conversion }, undefined],
    'conversions.totals': [{}, undefined],
    'conversions.enter': [{}, { ...order, orderId: `entered${serial}` }],
    'exchangeRates.status': [{}, undefined],
    'exchangeRates.upload': [{}, { rates: [{ currency: 'EUR', quotedOn: '2026-11-26', rate: '1.0842' }] }],
    'conversions.refund': [{ id: conversion }, { items: [{ position: 0, amountCents: 1 }], reason: 'refund', note: 'N', dryRun: true }],
    'conversions.move': [{ id: ids.changed }, { affiliateId: second, note: 'N', dryRun: false }],
    'conversions.increase': [{ id: ids.changed }, { increaseId: `i${serial}`, amountCents: 850, items: [item], note: 'N', dryRun: false }],
    'conversions.cancel': [{ id: ids.cancelled }, { note: 'N', dryRun: false }],
    'unattributedOrders.credit': [{ id: ids.unattributedOrder }, { affiliateId: active, note: 'N', dryRun: true }],
    'conversions.explanation': [{ id: conversion }, undefined],
    'claims.create': [{}, { affiliateId: active, orderId: `c${serial}`, note: 'N' }],
    'unattributedOrders.get': [{ id: ids.unattributedOrder }, undefined],
    'orderMismatches.get': [{ id: ids.orderMismatch }, undefined],
    'claims.get': [{ id: claim }, undefined],
    'claims.decide': [{ id: claim }, { decision: 'accepted', note: 'N' }],
  };
}

function commissions({ commission, held, active }: MoneyIds): Record<string, Sample> {
  return {
    'commissions.get': [{ id: commission }, undefined],
    'commissions.hold': [{ id: commission }, { note: 'N' }],
    'commissions.release': [{ id: held }, { note: 'N' }],
    'commissions.adjust': [{ id: commission }, { amountCents: 5, note: 'N' }],
    'commissions.grant': [{}, { affiliateId: active, amountCents: 5, note: 'N' }],
    'commissions.bulk': [{}, { ids: [commission], change: 'hold', dryRun: true }],
    'commissions.grantMany': [{}, { affiliateIds: [active], amountCents: 5, note: 'N', expectedTotalCents: 5 }],
  };
}

function afterwards(
  serial: number,
  { orderId, refund, fraudEvent, dispute, entry, affiliate }: MoneyIds & { affiliate: string },
): Record<string, Sample> {
  const fraud = { selfReferral: 'hold', fastOrder: 'flag', fastOrderSeconds: 3, couponWithoutClick: 'off', checkoutHijack: 'flag' };
  return {
    'refunds.report': [
      {},
      { refundId: `r${serial}`, orderId, amountCents: 1, reason: 'refund', note: 'N', occurredAt: '2026-03-01T10:00:00Z' },
    ],
    'refunds.get': [{ id: refund }, undefined],
    'disputes.list': [{}, undefined],
    'disputes.get': [{ id: dispute }, undefined],
    'disputes.report': [{}, { disputeId: `d${serial}`, orderId, status: 'opened', amountCents: 1 }],
    'ledgerEntries.list': [{}, undefined],
    'ledgerEntries.get': [{ id: entry }, undefined],
    'ledger.integrity': [{}, undefined],
    'affiliates.balance': [{ id: affiliate }, undefined],
    'affiliates.statement': [{ id: affiliate }, undefined],
    'fraudEvents.get': [{ id: fraudEvent }, undefined],
    'fraudEvents.resolveLater': [{ id: fraudEvent }, { resolution: 'fraud', note: 'N' }],
    'fraudEvents.resolve': [{ id: fraudEvent }, { resolution: 'legitimate', note: 'N' }],
    'fraudSettings.get': [{}, undefined],
    'fraudSettings.update': [{}, fraud],
    'fraudSettings.effect': [{}, fraud],
  };
}

function leads(serial: number, { active, lead, rejectableLead, customer }: MoneyIds): Record<string, Sample> {
  const reported = {
    externalId: `l${serial}`,
    name: 'Newsletter',
    affiliateId: active,
    couponCode: 'X',
    referralCode: 'Y',
    clickId: 'z',
    customer: { externalId: `c${serial}`, email: `lead${serial}@example.com`, isNew: true, country: 'US' },
    subId: 's',
    metadata: { a: 1 },
    occurredAt: '2026-03-01T10:00:00Z',
  };
  return {
    'leads.report': [{}, reported],
    'leads.get': [{ id: lead }, undefined],
    'leads.reject': [{ id: rejectableLead }, { note: 'n' }],
    'customers.get': [{ id: customer }, undefined],
    'customers.update': [{ id: customer }, { affiliateId: serial % 2 ? active : null, note: 'n' }],
  };
}
