// The lists of conversions, order mismatches and unattributed orders.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { aStore } from '../../../test/support/stores/stores.ts';

let service: TestService;
let ada: { id: string; email: string; referralCode: string };

before(async () => {
  service = await openTestService();
  ada = await anAffiliate(service, { status: 'active' });
});
after(() => service.close());

const get = async (path: string) => service.request('GET', `${service.program.path}${path}`);
const post = (path: string, body: object) => service.request('POST', path, { body });

describe('lists', () => {
  test('a conversion matches the filter of exactly the status that it is shown with', async () => {
    await anOrder(service, { orderId: 'without commission', affiliateId: ada.id });
    await aRule(service, { rate: 10 });
    await anOrder(service, { orderId: 'held', affiliateId: ada.id, customer: { email: ada.email } });
    await anOrder(service, { orderId: 'pending', affiliateId: ada.id });
    await anOrder(service, { orderId: 'refunded', affiliateId: ada.id });
    assert.equal((await post('/v1/refunds', { refundId: 'all', orderId: 'refunded' })).status, 201);
    const all: { orderId: string; status: string }[] = (await get('/conversions')).body.conversions;
    assert.deepEqual(all.map(({ status }) => status).sort(), ['approved', 'held', 'pending', 'reversed']);
    const orderIds = (rows: { orderId: string }[]) => rows.map(({ orderId }) => orderId).sort();
    for (const status of ['held', 'pending', 'approved', 'paid', 'reversed', 'rejected']) {
      const shown = all.filter((one) => one.status === status);
      assert.deepEqual(orderIds((await get(`/conversions?status=${status}`)).body.conversions), orderIds(shown), status);
    }
    assert.equal((await get('/conversions?status=approved&status=reversed')).body.total, 2);
  });

  test('reports that differ from the first one are order mismatches', async () => {
    const order = await anOrder(service, { orderId: 'differs', affiliateId: ada.id, amountCents: 1000 });
    await post('/v1/conversions', { orderId: 'differs', affiliateId: ada.id, amountCents: 1200 });
    await post('/v1/conversions', { orderId: 'differs', affiliateId: ada.id, amountCents: 1000 });
    const { body } = await get(`/order-mismatches?conversionId=${order.id}`);
    assert.equal(body.total, 1);
    const [mismatch] = body.orderMismatches;
    const { conversionId, orderId, amountCents, recordedCents, currency } = mismatch;
    assert.deepEqual([conversionId, orderId, amountCents, recordedCents, currency], [order.id, 'differs', 1200, 1000, 'USD']);
    assert.deepEqual((await get(`/order-mismatches/${mismatch.id}`)).body, mismatch);
    assert.equal((await get(`/order-mismatches/${mismatch.id}?expand=conversion`)).body.conversion.amountCents, 1000);
    assert.equal((await get(`/order-mismatches/${order.id}`)).status, 404);
  });

  test('order mismatches are filtered by the store that sent the order', async () => {
    const [shop, other] = [await aStore(service, 'generic'), await aStore(service, 'paddle')];
    const body = { orderId: 'from-the-shop', amountCents: 900, referralCode: ada.referralCode };
    assert.equal((await shop.send({ id: 'm-1', topic: 'order.paid', body })).status, 200);
    await service.drain();
    await post('/v1/conversions', { orderId: 'from-the-shop', affiliateId: ada.id, amountCents: 1000 });
    const orderIds = async (query: string) =>
      (await get(`/order-mismatches?${query}`)).body.orderMismatches.map(({ orderId }: { orderId: string }) => orderId);
    assert.deepEqual(await orderIds(`providerId=${shop.id}`), ['from-the-shop']);
    assert.deepEqual(await orderIds(`providerId=${other.id}`), []);
    assert.ok((await orderIds('limit=50')).includes('differs'));
  });

  test('unattributed orders are filtered, sorted and read by id', async () => {
    await post('/v1/conversions', { orderId: 'lost 1', amountCents: 300, occurredAt: '2026-01-05T00:00:00Z' });
    await post('/v1/conversions', { orderId: 'lost 2', amountCents: 200, occurredAt: '2026-01-06T00:00:00Z' });
    const { body } = await get('/unattributed-orders?occurredTo=2026-02-01T00:00:00Z&sort=amountCents');
    assert.deepEqual(
      body.unattributedOrders.map(({ orderId, reason }: Record<string, string>) => [orderId, reason]),
      [
        ['lost 2', 'no_signal'],
        ['lost 1', 'no_signal'],
      ],
    );
    const [first] = body.unattributedOrders;
    assert.deepEqual((await get(`/unattributed-orders/${first.id}`)).body, first);
    await post('/v1/conversions', { orderId: 'lost 1', amountCents: 300, referralCode: 'NOBODY22' });
    const again = await get('/unattributed-orders?orderId=lost%201');
    assert.deepEqual([again.body.unattributedOrders[0].reports, again.body.unattributedOrders[0].reason], [2, 'unknown']);
  });
});
