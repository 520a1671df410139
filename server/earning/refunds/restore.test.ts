// What a full refund restores, and what undoing it uses again: first order, occurrences, coupon, budget, tiers.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { aCoupon, anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';

let service: TestService;
let program: TestProgram;
let ada: string;
let serial = 0;

before(async () => {
  service = await openTestService();
});
beforeEach(async () => {
  program = await service.newProgram('Restored');
  ada = (await anAffiliate(service, { status: 'active' }, program)).id;
});
after(() => service.close());

const send = (path: string, body: object) => service.request('POST', path, { body, key: program.key });
const earned = async (given: Record<string, unknown> = {}) =>
  (
    await anOrder(
      service,
      { affiliateId: ada, amountCents: 1000, customer: { externalId: 'c', email: 'c@example.com' }, ...given },
      program,
    )
  ).commissionCents;
async function refund(orderId: string, amountCents?: number) {
  serial += 1;
  const { status, text } = await send('/v1/refunds', { refundId: `r-${serial}`, orderId, amountCents });
  assert.equal(status, 201, text);
}
async function dispute(orderId: string, status: string) {
  const answer = await send('/v1/disputes', { disputeId: `d-${orderId}`, orderId, status });
  assert.ok(answer.status < 300, answer.text);
}
const broken = async () => (await checkInvariants(service.ctx)).filter((one) => one.broken.length > 0);

describe('a full refund restores', () => {
  test('the first order of a customer, and winning the dispute uses it again', async () => {
    await aRule(service, { rate: 50, trigger: 'first' }, program);
    assert.equal(await earned({ orderId: 'a' }), 500);
    await refund('a', 999);
    assert.equal(await earned({ orderId: 'b' }), 0);
    await refund('a', 1);
    await refund('b');
    assert.equal(await earned({ orderId: 'c' }), 500);
    await dispute('c', 'lost');
    assert.equal(await earned({ orderId: 'd' }), 500);
    await refund('d');
    await dispute('c', 'won');
    assert.equal(await earned({ orderId: 'e' }), 0);
    assert.deepEqual(await broken(), []);
  });

  test('an occurrence, and the start of the months that are counted', async () => {
    await aRule(service, { rate: 50, maxOccurrences: 1, durationMonths: 1 }, program);
    assert.equal(await earned({ orderId: 'a' }), 500);
    assert.equal(await earned({ orderId: 'b' }), 0);
    await refund('a');
    await refund('b');
    service.clock.advance({ days: 40 });
    assert.equal(await earned({ orderId: 'c' }), 500);
    assert.deepEqual(await broken(), []);
  });

  test('a coupon redemption', async () => {
    await aRule(service, { rate: 10 }, program);
    const coupon = await aCoupon(service, { affiliateId: ada, code: 'ONCE', maxRedemptions: 1 }, program);
    const report = (orderId: string) => send('/v1/conversions', { orderId, amountCents: 1000, couponCode: 'ONCE' });
    assert.equal((await report('a')).status, 201);
    assert.equal((await report('b')).body.reason, 'used_up');
    await refund('a');
    assert.equal((await report('b')).status, 201);
    const { body } = await service.request('GET', `${program.path}/coupons/${coupon.id}`, { key: program.key });
    assert.equal(body.redemptions, 1);
    assert.deepEqual(await broken(), []);
  });

  test('a budget, by the reversed amount, even partially and by a rejection', async () => {
    await aRule(service, { rate: 50, budgetCents: 600, budgetPeriod: 'month' }, program);
    assert.equal(await earned({ orderId: 'a' }), 500);
    assert.equal(await earned({ orderId: 'b' }), 100);
    assert.equal(await earned({ orderId: 'c' }), 0);
    await refund('a', 500);
    assert.equal(await earned({ orderId: 'd' }), 250);
    await refund('a', 500);
    assert.equal(await earned({ orderId: 'e' }), 250);
    const own = await anAffiliate(service, { email: 'own@example.com', status: 'active' }, program);
    await refund('b');
    const order = await anOrder(service, { affiliateId: own.id, amountCents: 1000, customer: { email: 'own@example.com' } }, program);
    assert.equal(order.commissionCents, 100);
    const { body } = await service.request('GET', `${program.path}/fraud-events?conversionId=${order.id}`, { key: program.key });
    await send(`${program.path}/fraud-events/${body.fraudEvents[0].id}/resolve`, { resolution: 'fraud' });
    assert.equal(await earned({ orderId: 'f' }), 100);
    assert.deepEqual(await broken(), []);
  });

  for (const [metric, from] of [
    ['conversions', 1],
    ['amountCents', 1000],
    ['commissionCents', 100],
  ] as const)
    test(`a volume tier by ${metric}`, async () => {
      await aRule(service, { rate: 10, tiers: [{ metric, period: 'month', from, rate: 20 }] }, program);
      assert.equal(await earned({ orderId: 'a' }), 100);
      await refund('a');
      assert.equal(await earned({ orderId: 'b' }), 100);
      assert.equal(await earned({ orderId: 'c' }), 200);
    });
});
