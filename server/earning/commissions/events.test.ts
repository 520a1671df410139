// The events of commissions and orders: one statement for any number of them, and none that the change did not cause.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { matureAll } from './mature.ts';

describe('the events of orders', () => {
  let service: TestService;
  let ada: { id: string };
  before(async () => {
    service = await openTestService();
    await aRule(service, { rate: 10 });
    ada = await anAffiliate(service, { status: 'active' });
  });
  after(() => service.close());

  const typesOf = async (objectId: string): Promise<[string, object | null][]> => {
    const { rows } = await service.pool.query('select type, previous from events where object_id = $1 order by object_sequence', [
      objectId,
    ]);
    return rows.map(({ type, previous }) => [type, previous]);
  };

  test('follow an order from its hold to a refund in full', async () => {
    const order = await anOrder(service, { affiliateId: ada.id });
    const [commission] = order.commissions;
    const path = `${service.program.path}/commissions/${commission.id}`;
    await service.request('POST', `${path}/hold`, { body: { note: 'Returned?' } });
    await service.request('POST', `${path}/release`, { body: {} });
    service.clock.advance({ days: 31 });
    await matureAll(service.ctx);
    await service.request('POST', '/v1/refunds', { body: { refundId: 'full', orderId: order.orderId } });
    assert.deepEqual(await typesOf(commission.id), [
      ['commission.created', null],
      ['commission.adjusted', { status: 'pending' }],
      ['commission.adjusted', { status: 'held' }],
      ['commission.matured', { status: 'pending' }],
      ['commission.adjusted', { reversedCents: 0, owedCents: 1000 }],
      ['commission.adjusted', { status: 'approved' }],
    ]);
    assert.deepEqual(await typesOf(order.id), [
      ['conversion.created', null],
      ['conversion.held', { status: 'pending' }],
      ['conversion.approved', { status: 'pending' }],
    ]);
  });

  test('a duplicate report records nothing', async () => {
    const { orderId, id } = await anOrder(service, { affiliateId: ada.id });
    const again = await service.request('POST', '/v1/conversions', { body: { orderId, amountCents: 10_000, affiliateId: ada.id } });
    assert.equal(again.status, 409);
    assert.deepEqual(await typesOf(id), [['conversion.created', null]]);
  });

  test('are inserted by one statement when many commissions mature', async () => {
    const orders = Array.from({ length: 100 }, (_, index) => ({ orderId: `many-${index}`, amountCents: 10_000, affiliateId: ada.id }));
    const batch = await service.request('POST', '/v1/conversions/batch', { body: { conversions: orders } });
    assert.ok(batch.status < 300, batch.text);
    service.clock.advance({ days: 31 });
    assert.ok((await matureAll(service.ctx)) >= 100);
    const { rows } = await service.pool.query(
      `select xmin::text, count(distinct cmin::text)::integer as statements, count(*)::integer as events from events
       where type in ('commission.matured', 'conversion.approved') group by 1 order by 3 desc limit 1`,
    );
    assert.equal(rows[0].statements, 1);
    assert.ok(rows[0].events >= 200);
  });
});
