import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aClick, aCoupon, anAffiliate, anOrder } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';

describe('the usage of a coupon', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  test('has the orders of each of the last 30 days in the time zone of the program, and those without a click', async () => {
    await service.request('PATCH', service.program.path, { body: { timezone: 'America/New_York' } });
    const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
    const coupon = await aCoupon(service, { affiliateId, code: 'USED20' });
    const clickId = await aClick(service, affiliateId);
    const occurredAt = service.clock.now().toISOString();
    await anOrder(service, { orderId: 'clicked', couponCode: 'USED20', clickId, amountCents: 3000, occurredAt });
    service.clock.advance({ days: 2 });
    for (const orderId of ['a', 'b']) await anOrder(service, { orderId, couponCode: 'USED20', amountCents: 1000 });
    const { status, body } = await service.request('GET', `${service.program.path}/coupons/${coupon.id}/usage`);
    assert.equal(status, 200);
    assert.deepEqual([body.orders, body.withoutClick, body.salesCents, body.leakSuspectedAt], [3, 2, 5000, null]);
    assert.equal(body.days.length, 30);
    const used = body.days.filter(({ orders }: { orders: number }) => orders > 0);
    assert.deepEqual(
      used.map(({ orders, withoutClick }: Record<string, number>) => [orders, withoutClick]),
      [
        [1, 0],
        [2, 2],
      ],
    );
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(service.clock.now());
    assert.equal(body.days.at(-1).day, today);
  });

  test('an order near midnight belongs to the day of the program', async () => {
    const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
    const coupon = await aCoupon(service, { affiliateId, code: 'MIDNIGHT' });
    const day = service.clock.now().toISOString().slice(0, 10);
    await anOrder(service, { orderId: 'late', couponCode: 'MIDNIGHT', amountCents: 1000, occurredAt: `${day}T02:00:00Z` });
    const { body } = await service.request('GET', `${service.program.path}/coupons/${coupon.id}/usage`);
    const [used] = body.days.filter(({ orders }: { orders: number }) => orders > 0);
    assert.ok(used.day < day, `${used.day} is the evening before ${day} in New York`);
  });
});
