import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { aStore, type StoredEvent, type TestStore } from '../../../test/support/stores/stores.ts';

describe('provider events', () => {
  let service: TestService;
  let store: TestStore;
  before(async () => {
    service = await openTestService();
    await aRule(service);
    const { referralCode } = await anAffiliate(service, { status: 'active' });
    store = await aStore(service, 'generic');
    const bodies = { paid: { orderId: 'one', amountCents: 1000, referralCode }, invalid: { orderId: 'two', amountCents: 'x' } };
    for (const [id, body] of Object.entries(bodies)) await store.send({ id, topic: 'order.paid', body });
    service.clock.advance({ seconds: 60 });
    await store.send({ id: 'shipped', topic: 'order.shipped', body: { orderId: 'one' } });
    await store.send({ id: 'early', topic: 'order.refunded', body: { orderId: 'three', refundId: 'r' } });
    await service.drain();
  });
  after(() => service.close());

  const get = async (path: string) => (await service.request('GET', `${service.program.path}/provider-events${path}`)).body;
  const listIds = async (query: string) =>
    (await get(`?${query}`)).providerEvents.map(({ externalId }: StoredEvent) => externalId).toSorted();

  test('are filtered by provider, status, topic, id and time', async () => {
    assert.deepEqual(await listIds(`providerId=${store.id}`), ['early', 'invalid', 'paid', 'shipped']);
    assert.deepEqual(await listIds(`providerId=${service.ctx.ids.uuid()}`), []);
    assert.deepEqual(await listIds('status=failed&status=ignored'), ['invalid', 'shipped']);
    assert.deepEqual(await listIds('topic=order.refunded'), ['early']);
    assert.deepEqual(await listIds('externalId=paid'), ['paid']);
    assert.deepEqual(await listIds(`createdFrom=${service.clock.now().toISOString()}`), ['early', 'shipped']);
    assert.equal((await get('?status=done')).code, 'invalid_request');
  });

  test('have an outcome or an error code', async () => {
    const events: (StoredEvent & { errorCode: string | null })[] = (await get('')).providerEvents;
    const find = (externalId: string) => events.find((event) => event.externalId === externalId) ?? assert.fail(externalId);
    assert.equal(find('paid').outcome?.status, 'credited');
    assert.deepEqual(find('shipped').outcome, { status: 'ignored', reason: 'unsupported_topic' });
    assert.deepEqual([find('early').status, find('early').errorCode], ['waiting', 'order_not_found']);
    assert.equal(find('invalid').errorCode, 'unreadable');
    assert.equal(find('invalid').error, 'Invalid event: amountCents must be an integer amount in cents.');
  });

  test('are returned by id, by cursor, and with their provider', async () => {
    const first = await get('?limit=3&expand=provider');
    assert.deepEqual([first.total, first.providerEvents[0].provider], [4, { id: store.id, type: 'generic', name: 'generic' }]);
    const { provider: _, ...event } = first.providerEvents[0];
    assert.deepEqual(await get(`/${event.id}`), event);
    const second = await get(`?limit=3&cursor=${first.nextCursor}`);
    assert.deepEqual([second.providerEvents.length, second.nextCursor], [1, null]);
  });
});
