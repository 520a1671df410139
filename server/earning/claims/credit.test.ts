// Members enter orders and credit unattributed ones; both end in the same conversions as reported orders.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';

let service: TestService;
let owner: TestMember;
let ada: { id: string; email: string };
let grace: { id: string };

before(async () => {
  service = await openTestService();
  owner = await service.asMember('owner');
  ada = await anAffiliate(service, { status: 'active' });
  grace = await anAffiliate(service, { status: 'suspended' });
  await aRule(service, { rate: 10 });
});
after(() => service.close());

const app = (path: string) => `/app/programs/${service.program.programId}${path}`;
const post = (path: string, body: object) => service.request('POST', path, { body });
const get = (path: string) => service.request('GET', `${service.program.path}${path}`);

async function anUnattributedOrder(orderId: string, given: object = {}): Promise<string> {
  const reported = await post('/v1/conversions', { orderId, amountCents: 4000, ...given });
  assert.equal(reported.status, 422);
  return (await get(`/unattributed-orders?orderId=${encodeURIComponent(orderId)}`)).body.unattributedOrders[0].id;
}

describe('crediting an unattributed order', () => {
  test('previews the commission, then creates it with an accepted claim', async () => {
    const id = await anUnattributedOrder('lost 1');
    const body = { affiliateId: ada.id, note: 'Sold by phone' };
    const preview = await owner.request('POST', app(`/unattributed-orders/${id}/credit`), { body: { ...body, dryRun: true } });
    assert.equal(preview.status, 200, preview.text);
    assert.deepEqual([preview.body.claimId, preview.body.conversion.commissionCents], [null, 400]);
    assert.deepEqual([(await get('/claims')).body.total, (await get('/conversions')).body.total], [0, 0]);
    const credited = await owner.request('POST', app(`/unattributed-orders/${id}/credit`), { body });
    const claim = (await get(`/claims/${credited.body.claimId}`)).body;
    assert.deepEqual([claim.status, claim.conversionId, claim.decisionNote], ['accepted', credited.body.conversion.id, 'Sold by phone']);
    assert.equal((await get('/unattributed-orders?resolved=false')).body.total, 0);
    const again = await owner.request('POST', app(`/unattributed-orders/${id}/credit`), { body });
    assert.deepEqual([again.status, again.body.code], [400, 'order_not_unattributed']);
  });

  test("accepts the affiliate's open claim, and holds their own order", async () => {
    const id = await anUnattributedOrder('lost 2', { customer: { email: ada.email } });
    const claim = (await post(`${service.program.path}/claims`, { affiliateId: ada.id, orderId: 'lost 2' })).body;
    const credited = await owner.request('POST', app(`/unattributed-orders/${id}/credit`), { body: { affiliateId: ada.id } });
    assert.deepEqual([credited.body.claimId, credited.body.conversion.status], [claim.id, 'held']);
  });

  test('rejects an affiliate who is not active and a claim that was rejected, and changes nothing', async () => {
    const id = await anUnattributedOrder('lost 3');
    const inactive = await owner.request('POST', app(`/unattributed-orders/${id}/credit`), { body: { affiliateId: grace.id } });
    assert.deepEqual([inactive.status, inactive.body.code], [400, 'affiliate_not_active']);
    const claim = (await post(`${service.program.path}/claims`, { affiliateId: ada.id, orderId: 'lost 3' })).body;
    await post(`${service.program.path}/claims/${claim.id}/decide`, { decision: 'rejected' });
    const rejected = await owner.request('POST', app(`/unattributed-orders/${id}/credit`), { body: { affiliateId: ada.id } });
    assert.deepEqual([rejected.status, rejected.body.code], [400, 'claim_decided']);
    assert.equal((await get('/unattributed-orders?resolved=false')).body.total, 1);
  });

  test('lists are filtered by reason, a part of the order id and the amount', async () => {
    await anUnattributedOrder('other 4', { amountCents: 100, referralCode: 'NOBODY22' });
    const orderIds = async (query: string) =>
      (await get(`/unattributed-orders?${query}`)).body.unattributedOrders.map((one: { orderId: string }) => one.orderId).sort();
    assert.deepEqual(await orderIds('reason=unknown'), ['other 4']);
    assert.deepEqual(await orderIds('search=OST&resolved=false'), ['lost 3']);
    assert.deepEqual(await orderIds('amountMaxCents=100'), ['other 4']);
  });
});

describe('entering an order', () => {
  test('records it like a reported one, audited, and only once', async () => {
    const body = { orderId: 'manual 1', amountCents: 2500, affiliateId: ada.id };
    const entered = await owner.request('POST', app('/conversions'), { body });
    assert.deepEqual([entered.status, entered.body.commissionCents, entered.body.attribution.method], [201, 250, 'affiliate']);
    const audit = await get(`/audit-events?subjectId=${entered.body.id}`);
    assert.deepEqual(
      audit.body.auditEvents.map((event: { action: string; after: object }) => [event.action, event.after]),
      [['conversion.entered', { orderId: 'manual 1', affiliateId: ada.id, amountCents: 2500, commissionCents: 250 }]],
    );
    const again = await owner.request('POST', app('/conversions'), { body });
    assert.deepEqual([again.status, again.body.conversionId], [409, entered.body.id]);
  });
});
