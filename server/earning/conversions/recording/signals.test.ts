// Which affiliate is credited, with real clicks, coupons and customers in the database.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aCoupon, anAffiliate, anOrder, aProduct, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';

let service: TestService;
let ada: string;
let eve: string;

before(async () => {
  service = await openTestService();
  ada = (await anAffiliate(service, { status: 'active' })).id;
  eve = (await anAffiliate(service, { status: 'active' })).id;
  await aRule(service, { rate: 10 });
});
after(() => service.close());

/** A recorded click, this many minutes ago. */
async function aClick(affiliateId: string, minutesAgo: number, visitorId: string | null = null): Promise<string> {
  const id = service.ctx.ids.uuid();
  const at = new Date(service.clock.now().getTime() - minutesAgo * 60_000);
  await service.pool.query(`insert into clicks (program_id, id, affiliate_id, created_at, visitor_id) values ($1, $2, $3, $4, $5)`, [
    service.program.programId,
    id,
    affiliateId,
    at,
    visitorId,
  ]);
  return id;
}

const settings = (body: object) => service.request('PATCH', service.program.path, { body });
const report = (body: Record<string, unknown>) => service.request('POST', '/v1/conversions', { body: { amountCents: 1000, ...body } });

describe('clicks', () => {
  test('a click inside the window is credited, and the response names it with its time', async () => {
    const clickId = await aClick(ada, 60);
    const order = await anOrder(service, { clickId });
    assert.deepEqual([order.affiliateId, order.attribution.method, order.attribution.clickId], [ada, 'click', clickId]);
    assert.equal(order.attribution.clickedAt, '2026-03-01T11:00:00.000Z');
    const old = await aClick(ada, 31 * 24 * 60);
    const { status, body } = await report({ orderId: 'too old', clickId: old });
    assert.deepEqual([status, body.reason], [422, 'outside_the_window']);
  });

  test('the last click of a visitor counts, or the first if the program is set so', async () => {
    const first = await aClick(ada, 600, 'visitor-1');
    const last = await aClick(eve, 5, 'visitor-1');
    assert.equal((await anOrder(service, { clickId: first })).attribution.clickId, last);
    assert.equal((await settings({ attributionModel: 'first_click' })).status, 200);
    assert.equal((await anOrder(service, { clickId: last })).affiliateId, ada);
    await settings({ attributionModel: 'last_click' });
  });

  test('a click seconds before the order loses to an earlier one while the guard is on, with a fraud alert', async () => {
    const early = await aClick(ada, 600, 'visitor-2');
    const late = await aClick(eve, 0.5, 'visitor-2');
    await settings({ hijackGuardSeconds: 60 });
    const order = await anOrder(service, { clickId: late });
    assert.deepEqual([order.affiliateId, order.attribution.clickId], [ada, early]);
    assert.equal(order.attribution.conflict[0].outcome, 'checkout_hijack');
    const { body } = await service.request('GET', `${service.program.path}/fraud-events?conversionId=${order.id}`);
    assert.deepEqual([body.fraudEvents[0].kind, body.fraudEvents[0].status, order.status], ['checkout_hijack', 'open', 'pending']);
    await settings({ hijackGuardSeconds: 0 });
  });

  test('a click of another program and a malformed click id are unknown', async () => {
    for (const clickId of [service.ctx.ids.uuid(), 'not-a-click', "' or 1=1 --"])
      assert.equal((await report({ orderId: `x${clickId.slice(0, 4)}`, clickId })).body.reason, 'unknown');
  });
});

test('an explicit affiliate who is suspended is reported, and the order is stored as unattributed', async () => {
  const gone = (await anAffiliate(service, { status: 'suspended' })).id;
  const answer = await report({ orderId: 'explicit', affiliateId: gone, clickId: await aClick(ada, 5) });
  assert.deepEqual([answer.status, answer.body.reason], [422, 'affiliate_not_active']);
  assert.deepEqual(
    answer.body.signals.map(({ signal, outcome }: Record<string, string>) => [signal, outcome]),
    [
      ['affiliate', 'affiliate_not_active'],
      ['click', 'outranked'],
    ],
  );
  const { body } = await service.request('GET', `${service.program.path}/unattributed-orders?orderId=explicit`);
  assert.equal(body.total, 1);
});

describe('coupons', () => {
  test('a coupon credits its affiliate, ignoring case, and counts one redemption', async () => {
    const coupon = await aCoupon(service, { affiliateId: ada, code: 'Spring_24' });
    const order = await anOrder(service, { orderId: 'with coupon', couponCode: ' sPRING_24 ' });
    assert.deepEqual([order.affiliateId, order.attribution.method, order.attribution.couponId], [ada, 'coupon', coupon.id]);
    await report({ orderId: 'with coupon', couponCode: 'SPRING_24' });
    const { body } = await service.request('GET', `${service.program.path}/coupons/${coupon.id}`);
    assert.equal(body.redemptions, 1);
  });

  test('a coupon pays its own rate', async () => {
    await aCoupon(service, { affiliateId: ada, code: 'OWN', commissionType: 'percentage', commissionRate: 2.5 });
    const order = await anOrder(service, { couponCode: 'OWN', amountCents: 999 });
    assert.deepEqual([order.commissionCents, order.commissions[0].source], [25, 'coupon']);
  });

  test('a coupon that is archived, ended or below its minimum is rejected, and the next signal applies', async () => {
    const coupon = await aCoupon(service, { affiliateId: ada, code: 'OFF' });
    await service.request('PATCH', `${service.program.path}/coupons/${coupon.id}`, { body: { status: 'archived' } });
    await aCoupon(service, { affiliateId: ada, code: 'OVER', endsAt: '2026-02-01T00:00:00Z' });
    await aCoupon(service, { affiliateId: ada, code: 'SMALL', minOrderCents: 1001 });
    for (const [couponCode, reason] of [
      ['OFF', 'archived'],
      ['OVER', 'ended'],
      ['SMALL', 'below_minimum'],
      ['NEVER', 'unknown'],
    ]) {
      const { status, body } = await report({ orderId: `c-${couponCode}`, couponCode });
      assert.deepEqual([status, body.reason], [422, reason]);
      const next = await report({ orderId: `c-${couponCode}`, couponCode, affiliateId: eve });
      assert.equal(next.status, 201);
    }
  });

  test('a product coupon is credited only for orders with one of its products, and pays its rate for these lines only', async () => {
    const [tea, soap] = [await aProduct(service), await aProduct(service)];
    const rate = { commissionType: 'percentage', commissionRate: 50 };
    const coupon = await aCoupon(service, { affiliateId: ada, code: 'TEA', productIds: [tea], ...rate });
    const item = (productId: string) => ({ productId, amountCents: 1000 });
    const other = await report({ orderId: 'no tea', couponCode: 'TEA', items: [item(soap)] });
    assert.deepEqual([other.status, other.body.reason], [422, 'other_products']);
    const unknown = await report({ orderId: 'no items', couponCode: 'TEA' });
    assert.deepEqual([unknown.status, unknown.body.reason], [422, 'other_products']);
    const next = await report({ orderId: 'no tea', couponCode: 'TEA', items: [item(soap)], referralCode: 'unknown', affiliateId: ada });
    assert.deepEqual([next.body.commissionCents, next.body.attribution.couponId], [100, null]);
    const mixed = await anOrder(service, { couponCode: 'TEA', amountCents: 2000, items: [item(tea), item(soap)] });
    assert.deepEqual(mixed.commissions.map(({ source, amountCents }: Record<string, unknown>) => [source, amountCents]).sort(), [
      ['coupon', 500],
      ['rule', 100],
    ]);
    const { body } = await service.request('GET', `${service.program.path}/coupons/${coupon.id}`);
    assert.equal(body.redemptions, 1);
  });

  test('a coupon of the credited affiliate pays its rate and counts, by any signal; that of another affiliate does not', async () => {
    const rate = { commissionType: 'percentage', commissionRate: 50 };
    const mine = await aCoupon(service, { affiliateId: ada, code: 'MINE', creditPolicy: 'only_without_click', ...rate });
    const explicit = await anOrder(service, { couponCode: 'MINE', affiliateId: ada, amountCents: 1000 });
    assert.deepEqual([explicit.attribution.method, explicit.attribution.couponId, explicit.commissionCents], ['affiliate', mine.id, 500]);
    const clicked = await anOrder(service, { couponCode: 'MINE', clickId: await aClick(ada, 60), amountCents: 1000 });
    assert.deepEqual([clicked.attribution.method, clicked.commissionCents], ['click', 500]);
    const another = await anOrder(service, { couponCode: 'MINE', affiliateId: eve, amountCents: 1000 });
    assert.deepEqual([another.attribution.couponId, another.commissionCents], [null, 100]);
    const { body } = await service.request('GET', `${service.program.path}/coupons/${mine.id}`);
    assert.equal(body.redemptions, 2);
  });

  test('a redemption limit is exact, however many orders arrive at the same time', async () => {
    const coupon = await aCoupon(service, { affiliateId: ada, code: 'FIVE', maxRedemptions: 5 });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => report({ orderId: `five-${index}`, couponCode: 'FIVE' })));
    assert.equal(answers.filter(({ status }) => status === 201).length, 5);
    assert.ok(answers.every(({ status, body }) => status === 201 || body.reason === 'used_up'));
    const { body } = await service.request('GET', `${service.program.path}/coupons/${coupon.id}`);
    assert.equal(body.redemptions, 5);
  });
});

describe('customers', () => {
  test("a customer stays with their first affiliate, by the store's id or the email address", async () => {
    await anOrder(service, { affiliateId: ada, customer: { externalId: 'c-1', email: 'Buyer@Example.com' } });
    const byId = await anOrder(service, { customer: { externalId: 'c-1' } });
    const byMail = await anOrder(service, { customer: { email: 'buyer@example.COM' } });
    assert.deepEqual([byId.affiliateId, byMail.affiliateId, byMail.attribution.method], [ada, ada, 'customer']);
    await settings({ remembersCustomers: false });
    assert.equal((await report({ orderId: 'forgotten', customer: { externalId: 'c-1' } })).status, 422);
    await settings({ remembersCustomers: true });
  });

  test('orders of a customer are counted, even within a batch: first-order rules pay once', async () => {
    const rule = await aRule(service, { trigger: 'first', rate: 50, affiliateId: eve });
    const orders = [1, 2, 3].map((index) => ({
      orderId: `f-${index}`,
      amountCents: 1000,
      affiliateId: eve,
      customer: { externalId: 'c-new' },
    }));
    const { body } = await service.request('POST', '/v1/conversions/batch', { body: { conversions: orders } });
    const paid = body.results.map(({ conversion }: { conversion: { commissionCents: number } }) => conversion.commissionCents);
    assert.deepEqual(paid, [500, 100, 100]);
    await service.request('PATCH', `${service.program.path}/commission-rules/${rule}`, { body: { status: 'archived' } });
  });
});
