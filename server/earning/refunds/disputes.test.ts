import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

describe('disputes', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
    await aRule(service);
    const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
    for (const orderId of ['first', 'second']) await anOrder(service, { orderId, affiliateId, amountCents: 5000 });
  });
  after(() => service.close());

  const report = (disputeId: string, orderId: string, status: string, given: object = {}) =>
    service.request('POST', '/v1/disputes', { body: { disputeId, orderId, status, ...given } });
  const get = async (path: string) => (await service.request('GET', `${service.program.path}/disputes${path}`)).body;
  const listIds = async (query: string) => (await get(`?${query}`)).disputes.map(({ disputeId }: { disputeId: string }) => disputeId);

  test('a reported dispute is returned by its id, and its outcome with the commissions it reversed', async () => {
    const opened = await report('dp_1', 'first', 'opened', { amountCents: 2000 });
    const { adjustments, ...dispute } = opened.body;
    assert.deepEqual([opened.status, adjustments, dispute.amountCents, dispute.currency], [201, [], 2000, 'USD']);
    assert.deepEqual(await get(`/${dispute.id}`), dispute);
    const lost = await report('dp_1', 'first', 'lost');
    assert.deepEqual([lost.status, lost.body.status, lost.body.adjustments.length], [200, 'lost', 1]);
    assert.equal((await get(`/${dispute.id}`)).status, 'lost');
  });

  test('a final status never returns to opened, and a repeated report changes nothing', async () => {
    for (const status of ['opened', 'lost']) {
      const { body } = await report('dp_1', 'first', status);
      assert.deepEqual([body.status, body.adjustments], ['lost', []]);
    }
  });

  test('the list filters by status, order and time, and sorts', async () => {
    service.clock.advance({ seconds: 60 });
    await report('dp_2', 'second', 'opened');
    assert.deepEqual(await listIds(''), ['dp_2', 'dp_1']);
    assert.deepEqual(await listIds('sort=createdAt'), ['dp_1', 'dp_2']);
    assert.deepEqual(await listIds('status=lost'), ['dp_1']);
    assert.deepEqual(await listIds('status=lost&status=opened'), ['dp_2', 'dp_1']);
    assert.deepEqual(await listIds('orderId=second'), ['dp_2']);
    assert.deepEqual(await listIds(`createdFrom=${service.clock.now().toISOString()}`), ['dp_2']);
    const [expanded] = (await get('?orderId=first&expand=conversion')).disputes;
    assert.deepEqual([expanded.conversion.id, expanded.conversion.orderId], [expanded.conversionId, 'first']);
    assert.equal((await get('?status=closed')).code, 'invalid_request');
  });

  test('a dispute of one order is rejected for another order', async () => {
    const { status, body } = await report('dp_2', 'first', 'won');
    assert.deepEqual(
      [status, body.details],
      [400, [{ path: ['orderId'], message: 'must be the order that this dispute was reported for' }]],
    );
  });
});
