// Missing orders: those whose events failed, and those that stopped arriving.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { aStore, type TestStore } from '../../../test/support/stores/stores.ts';
import { reprocessUnattributedEvents, retryEvents } from '../inbox/process-events.ts';
import { detectSilence, formatWarning, watchStores } from './watch-stores.ts';

const hours = 28 * 24;
const orderEvery = (pause: number, silent: number): number[] =>
  Array.from({ length: hours }, (_, hour) => (hour % pause === 0 && hour < hours - silent ? 1 : 0));

describe('a silence', () => {
  test('is much longer than every earlier one and than the usual interval', () => {
    const rows: [counts: number[], silence: ReturnType<typeof detectSilence>][] = [
      [orderEvery(1, 0), null],
      [orderEvery(1, 5), null],
      [orderEvery(1, 7), { hours: 7, usualMinutes: 60 }],
      [orderEvery(2, 6), null],
      [orderEvery(2, 12), { hours: 13, usualMinutes: 120 }],
      [orderEvery(24, 60), null],
      [orderEvery(24, 130), { hours: 143, usualMinutes: 1380 }],
      [Array.from({ length: hours }, () => 0), null],
      [orderEvery(100, 0), null],
    ];
    for (const [counts, expected] of rows) assert.deepEqual(detectSilence(counts), expected);
  });

  test('nights of a store that sells only by day are not a silence', () => {
    const byDay = Array.from({ length: hours }, (_, hour) => (hour % 24 < 10 ? 3 : 0));
    assert.equal(detectSilence(byDay), null);
    assert.ok(detectSilence([...byDay.slice(24), ...Array.from({ length: 24 }, () => 0)]));
  });

  test('is formatted as a sentence', () => {
    assert.equal(formatWarning({ hours: 30, usualMinutes: 40 }), 'No orders for 30 hours; usually one every 40 minutes.');
    assert.equal(formatWarning({ hours: 90, usualMinutes: 300 }), 'No orders for 90 hours; usually one every 5 hours.');
  });
});

describe('a connected store', () => {
  let service: TestService;
  let store: TestStore;
  let code = '';
  before(async () => {
    service = await openTestService();
    await aRule(service);
    code = (await anAffiliate(service, { status: 'active' })).referralCode;
    store = await aStore(service, 'generic');
  });
  after(() => service.close());

  const coverage = async (query = '') =>
    (await service.request('GET', `${service.program.path}/providers/${store.id}/coverage${query}`)).body;
  const sendOrder = async (id: string, given: Record<string, unknown> = {}) => {
    const occurredAt = service.clock.now().toISOString();
    assert.equal(
      (await store.send({ id, topic: 'order.paid', body: { orderId: id, amountCents: 1000, occurredAt, ...given } })).status,
      200,
    );
    await service.drain();
  };

  test('its coverage counts credited, unattributed and missing orders', async () => {
    assert.deepEqual([(await coverage()).knownOrders, (await coverage()).coveragePercent], [0, null]);
    await sendOrder('c-1', { referralCode: code });
    await sendOrder('c-2');
    await sendOrder('c-3', { referralCode: code, currency: 'EUR' });
    service.clock.advance({ seconds: 60 });
    const found = await coverage();
    assert.deepEqual([found.knownOrders, found.creditedOrders, found.unattributedOrders, found.missingOrders], [3, 1, 1, 1]);
    assert.equal(found.coveragePercent, 66.6);
    assert.deepEqual(found.missing, [{ orderId: 'c-3', amountCents: 1000, currency: 'EUR', occurredAt: '2026-03-01T12:00:00.000Z' }]);
    assert.equal((await coverage('?occurredFrom=2026-03-01T12:00:01Z')).knownOrders, 0);
    assert.equal(
      (await service.request('GET', `${service.program.path}/providers/${store.id}/coverage?occurredFrom=2026-03-02T00:00:00Z`)).status,
      400,
    );
  });

  test('a refund of an unattributed order is applied once the order is credited', async () => {
    await store.send({ id: 'c-2-r', topic: 'order.refunded', body: { orderId: 'c-2', refundId: 'r-1', amountCents: 250 } });
    await service.drain();
    const find = async () => (await store.events()).find(({ externalId }) => externalId === 'c-2-r')?.outcome?.status;
    assert.equal(await find(), 'unattributed');
    const body = { orderId: 'c-2', amountCents: 1000, referralCode: code };
    assert.equal((await service.request('POST', '/v1/conversions', { body })).status, 201);
    await reprocessUnattributedEvents.run(service.ctx, {}, { isLast: true });
    await retryEvents.run(service.ctx, {}, { isLast: true });
    assert.equal(await find(), 'refunded');
    const { rows } = await service.pool.query(`select refunded_cents from conversions where order_id = 'c-2'`);
    assert.equal(Number(rows[0].refunded_cents), 250);
  });

  test('it needs attention when orders stop, and is connected again when they arrive', async () => {
    await service.request('PATCH', `${service.program.path}/providers/${store.id}`, { body: { status: 'connected' } });
    const watch = async () => {
      await watchStores.run(service.ctx, {}, { isLast: true });
      const { status, lastError } = await store.get();
      return [status, lastError];
    };
    for (let hour = 0; hour < 14; hour += 1) {
      service.clock.advance({ seconds: 3600 });
      await sendOrder(`q-${hour}`);
    }
    assert.equal((await watch())[0], 'connected');
    service.clock.advance({ seconds: 12 * 3600 });
    assert.deepEqual(await watch(), ['needs_attention', 'No orders for 11 hours; usually one every 56 minutes.']);
    await sendOrder('q-again');
    assert.deepEqual(await watch(), ['connected', null]);
  });
});
