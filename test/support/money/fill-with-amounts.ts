// Activity of every kind that screens show as amounts, with the same numbers of cents in each program: orders with lines,
// refunds, tiers, flat rates, bonuses, holds, disputes, coupons, leads, payouts that are due, in transit and paid.
import assert from 'node:assert/strict';
import { aCoupon, aGroup, anAffiliate, anOrder, aProduct, aRule } from '../builders.ts';
import type { TestProgram, TestService } from '../harness.ts';
import { anInvoiceAgreement, anInvoiceIssuer } from './invoices.ts';

/** Values for the parameters of paths, and the affiliate whose portal is opened. */
export type Filled = { affiliateId: string; conversionId: string; batchId: string; storeId: string; email: string };

const firstNames = ['Ada', 'Ben', 'Cleo', 'Dan'];

/** Fills programs side by side, so that each has everything at the same time of the service's clock. */
export async function fillWithAmounts(service: TestService, programs: readonly TestProgram[]): Promise<Filled[]> {
  const filled = [];
  for (const program of programs) filled.push({ program, first: await addSales(service, program) });
  service.clock.advance({ days: 9 });
  const examples = [];
  for (const { program, first } of filled) examples.push(await addPayouts(service, program, first));
  await service.drain();
  return examples;
}

type First = { affiliates: readonly { id: string; email: string }[]; conversionId: string };

/** Sends a request of the program's key, which must succeed. */
function sender(service: TestService, program: TestProgram) {
  return async (method: string, path: string, body?: object) => {
    const target = path.startsWith('/') ? path : `${program.path}/${path}`;
    const response = await service.request(method, target, { key: program.key, body });
    assert.ok(response.status < 300, `${method} ${path}: ${response.text}`);
    return response.body;
  };
}

async function addSales(service: TestService, program: TestProgram): Promise<First> {
  const send = sender(service, program);
  await service.pool.query(
    `update programs set website_url = 'https://fernandfield.example', destination_hosts = '{blog.example}', hold_days = 7,
       minimum_payout_cents = 7531 where id = $1`,
    [program.programId],
  );
  const groupId = await aGroup(service, 'Clinicians', program);
  await send('PATCH', `groups/${groupId}`, { minimumPayoutCents: 4567 });
  const affiliates = [];
  for (const firstName of firstNames) {
    const email = `${firstName.toLowerCase()}@example.com`;
    const person = { firstName, lastName: 'Lindqvist', email, status: 'active' };
    affiliates.push(await anAffiliate(service, firstName === 'Ada' ? { ...person, groupId } : person, program));
  }
  const [ada, ben, cleo, dan] = affiliates;
  assert.ok(ada && ben && cleo && dan);
  await addTerms(service, program, { ada: ada.id, ben: ben.id });
  await addOrders(service, program, { ada: ada.id, ben: ben.id, cleo: cleo.id, dan });
  await send('POST', 'commissions', { affiliateId: ada.id, amountCents: 128_503, note: 'Best newsletter of the spring' });
  const { conversions } = await send('GET', 'conversions?orderId=FF-1');
  return { affiliates, conversionId: conversions[0].id };
}

async function addTerms(service: TestService, program: TestProgram, { ada, ben }: { ada: string; ben: string }): Promise<void> {
  const tiers = [{ metric: 'amountCents', period: 'total', from: 5_000_000, rate: 15 }];
  const limits = { minPerOrderCents: 111, maxPerOrderCents: 90_000_000, budgetCents: 99_000_000, budgetPeriod: 'year' };
  await aRule(service, Object.assign({ name: 'Everyone', rate: 12.5, type: 'percentage', tiers }, limits), program);
  await aRule(service, { name: 'Ben', type: 'flat', amountCents: 12_345, affiliateId: ben }, program);
  await aRule(service, { name: 'Sign-ups', event: 'lead', type: 'flat', amountCents: 4321 }, program);
  const tea = { name: 'Evening tea', priceCents: 123_457, compareAtPriceCents: 150_003, externalId: 'tea-1', sku: 'TEA-1' };
  await aProduct(service, tea, program);
  await aCoupon(service, { affiliateId: ada, code: 'ADA15', discountType: 'flat', discountCents: 1507, minOrderCents: 2503 }, program);
}

type Sellers = { ada: string; ben: string; cleo: string; dan: { id: string; email: string } };

async function addOrders(service: TestService, program: TestProgram, { ada, ben, cleo, dan }: Sellers): Promise<void> {
  const send = sender(service, program);
  const items = [
    { externalProductId: 'tea-1', quantity: 3, amountCents: 370_371 },
    { externalProductId: 'gift-wrapping', quantity: 1, amountCents: 629 },
  ];
  const order = (orderId: string, given: object) =>
    anOrder(service, Object.assign({ orderId, customer: { externalId: `c-${orderId}` } }, given), program);
  await order('FF-1', { affiliateId: ada, amountCents: 371_000, items });
  await order('FF-2', { couponCode: 'ADA15', amountCents: 98_765 });
  await order('FF-3', { affiliateId: ben, amountCents: 44_407 });
  await order('FF-4', { affiliateId: cleo, amountCents: 123_456_789 });
  await order('FF-5', { affiliateId: dan.id, amountCents: 6007 });
  await anOrder(service, { orderId: 'FF-6', affiliateId: dan.id, amountCents: 24_907, customer: { email: dan.email } }, program);
  await order('FF-7', { affiliateId: cleo, amountCents: 777_777 });
  await send('POST', '/v1/refunds', { refundId: 're-1', orderId: 'FF-1', items: [{ position: 1, quantity: 1 }] });
  await send('POST', '/v1/refunds', { refundId: 're-2', orderId: 'FF-2', amountCents: 9003 });
  await send('POST', '/v1/disputes', { disputeId: 'dp-1', orderId: 'FF-7', status: 'opened', amountCents: 70_001 });
  await send('POST', '/v1/leads', { externalId: 'signup-1', affiliateId: ben, customer: { externalId: 'c-900' } });
  const lost = await service.request('POST', '/v1/conversions', { key: program.key, body: { orderId: 'FF-8', amountCents: 74_509 } });
  assert.equal(lost.status, 422, lost.text);
  const bounty = { name: 'First sale', description: 'Sell once.', milestone: 'first_order', rewardCents: 5003, budgetCents: 900_007 };
  await send('POST', 'bounties', bounty);
  await send('POST', 'claims', { affiliateId: ada, orderId: 'FF-8', note: 'She bought it after my newsletter of Sunday.' });
}

async function addPayouts(service: TestService, program: TestProgram, { affiliates, conversionId }: First): Promise<Filled> {
  const send = sender(service, program);
  const [ada, ben, cleo, dan] = affiliates;
  assert.ok(ada && ben && cleo && dan);
  await send('POST', 'providers', { type: 'manual', name: 'Bank transfers' });
  const store = await send('POST', 'providers', { type: 'generic', name: 'Own shop' });
  await anInvoiceIssuer(service, program);
  for (const { id: affiliateId } of [ada, ben]) await anInvoiceAgreement(service, { program, affiliateId });
  const { batch, payouts } = await send('POST', 'payouts/dispatch', { affiliateIds: [ada.id, ben.id], minimumPayoutCents: 0 });
  await send('POST', `payouts/${payouts[0].id}/mark-paid`, { reference: 'Wire 1' });
  for (const [orderId, affiliateId, amountCents] of [
    ['FF-20', ada.id, 88_801],
    ['FF-21', ben.id, 9909],
    ['FF-22', ada.id, 1_000_003],
  ] as const)
    await anOrder(service, { orderId, affiliateId, amountCents, customer: { externalId: `c-${orderId}` } }, program);
  await send('POST', 'commissions', { affiliateId: ada.id, amountCents: 20_002, note: 'Second bonus' });
  const { commissions } = await send('GET', `commissions?affiliateId=${dan.id}&status=pending`);
  if (commissions[0]) await send('POST', `commissions/${commissions[0].id}/hold`, { note: 'Checked by us' });
  return { affiliateId: ada.id, conversionId, batchId: batch.id, storeId: store.id, email: ada.email };
}
