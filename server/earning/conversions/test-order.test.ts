// Testing an order: the explanation is that of the order once it is reported, and nothing is written.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aClick, aCoupon, anAffiliate, anOrder, aProduct, aRule } from '../../../test/support/builders.ts';
import { findChanged, readFingerprint } from '../../../test/support/fingerprint.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

let service: TestService;
let ada: { id: string; referralCode: string };
let productId: string;

before(async () => {
  service = await openTestService();
  const upline = await anAffiliate(service, { status: 'active' });
  ada = await anAffiliate(service, { status: 'active' });
  const { status } = await service.request('PATCH', `${service.program.path}/affiliates/${ada.id}`, {
    body: { parentAffiliateId: upline.id },
  });
  assert.equal(status, 200);
  productId = await aProduct(service, { name: 'Kettle' });
  await aRule(service, { rate: 10, budgetCents: 1500, budgetPeriod: 'month' });
  await aRule(service, { rate: 12.5, productId });
  await aRule(service, { rate: 3, level: 2 });
  await aCoupon(service, { affiliateId: ada.id, code: 'TEA' });
});
after(() => service.close());

const testOrder = (body: Record<string, unknown>, options: Record<string, unknown> = {}) =>
  service.request('POST', `${service.program.path}/conversions/test`, { body, ...options });

/** An explanation without what belongs to one recording: ids and the time of the row. */
function withoutIds(explanation: Record<string, unknown>): unknown {
  const left = new Set(['conversionId', 'createdAt', 'id', 'orderId']);
  return JSON.parse(JSON.stringify(explanation), (key, value) => (left.has(key) ? undefined : value));
}

test('is explained as it is once it is reported, whatever credits it', async () => {
  const clickId = await aClick(service, ada.id);
  const orders = [
    { amountCents: 9999, referralCode: ada.referralCode },
    { amountCents: 12_000, couponCode: 'TEA', customer: { externalId: 'c-1' } },
    { amountCents: 3000, clickId, items: [{ productId, amountCents: 1000 }, { amountCents: 2000 }] },
    { amountCents: 4000, customer: { externalId: 'c-1' } },
  ];
  for (const [index, order] of orders.entries()) {
    const tested = await testOrder(order);
    assert.equal(tested.status, 200, JSON.stringify(tested.body));
    const reported = await anOrder(service, { orderId: `o-${index}`, ...order });
    const { body } = await service.request('GET', `${service.program.path}/conversions/${reported.id}/explanation`);
    assert.deepEqual(withoutIds(tested.body), withoutIds(body));
    assert.equal(tested.body.totals.commissionCents, reported.commissionCents);
    assert.notEqual(tested.body.conversionId, reported.id);
  }
});

test('writes nothing, and gets the error of a report', async () => {
  await anOrder(service, { orderId: 'known', amountCents: 100, affiliateId: ada.id });
  const stored = await readFingerprint(service.pool);
  assert.equal((await testOrder({ amountCents: 5000, affiliateId: ada.id })).status, 200);
  const repeated = await testOrder({ orderId: 'known', amountCents: 100, affiliateId: ada.id });
  assert.deepEqual([repeated.status, repeated.body.code, repeated.body.matchesOriginal], [409, 'order_recorded', true]);
  const uncredited = await testOrder({ amountCents: 100, referralCode: 'UNKNOWN0' });
  assert.deepEqual([uncredited.status, uncredited.body.code, uncredited.body.signals.length], [422, 'no_affiliate_to_credit', 1]);
  const foreign = await testOrder({ amountCents: 100, affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f' });
  assert.equal(foreign.status, 404);
  assert.equal((await testOrder({ amountCents: -1 })).status, 400);
  assert.deepEqual(findChanged(stored, await readFingerprint(service.pool)), []);
});

test('needs a key that may report orders', async () => {
  assert.equal((await testOrder({ amountCents: 100 }, { key: service.program.readKey })).status, 403);
});
