// Claims of missing conversions: an affiliate claims an unattributed order, and a user decides.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

let service: TestService;
let ada: { id: string; referralCode: string };
let eve: { id: string };

before(async () => {
  service = await openTestService();
  await aRule(service, { rate: 10 });
  ada = await anAffiliate(service, { status: 'active' });
  eve = await anAffiliate(service, { status: 'active' });
});
after(() => service.close());

const claim = (affiliateId: string, orderId: string) =>
  service.request('POST', `${service.program.path}/claims`, { body: { affiliateId, orderId, note: 'Bought on my stream' } });
const decide = (id: string, decision: string) =>
  service.request('POST', `${service.program.path}/claims/${id}/decide`, { body: { decision } });

describe('a claim', () => {
  test('is matched with the unattributed order and its evidence; accepting it credits the order by the rules of its time', async () => {
    const occurredAt = '2026-02-20T10:00:00Z';
    await service.pool.query(`insert into clicks (program_id, id, affiliate_id, created_at) values ($1, $2, $3, '2026-02-19')`, [
      service.program.programId,
      service.ctx.ids.uuid(),
      ada.id,
    ]);
    await service.request('POST', '/v1/conversions', { body: { orderId: 'lost', amountCents: 4000, occurredAt, couponCode: 'GONE' } });
    const made = await claim(ada.id, 'lost');
    assert.equal(made.status, 201);
    const { match, reason, amountCents, clicksBefore } = made.body.evidence;
    assert.deepEqual([match, reason, amountCents, clicksBefore], ['unattributed_order', 'unknown', 4000, 1]);
    const { status, body } = await decide(made.body.id, 'accepted');
    assert.deepEqual([status, body.status], [200, 'accepted']);
    const { body: order } = await service.request('GET', `${service.program.path}/conversions/${body.conversionId}`);
    assert.deepEqual([order.affiliateId, order.commissionCents, order.occurredAt], [ada.id, 400, '2026-02-20T10:00:00.000Z']);
    const again = await service.request('POST', '/v1/conversions', { body: { orderId: 'lost', amountCents: 4000, affiliateId: eve.id } });
    assert.equal(again.status, 409);
    const changed = await decide(made.body.id, 'rejected');
    assert.deepEqual([changed.status, changed.body.code], [400, 'claim_decided']);
    assert.equal((await decide(made.body.id, 'accepted')).status, 422);
    assert.deepEqual((await service.request('GET', `${service.program.path}/claims/${made.body.id}`)).body, body);
    const { body: expanded } = await service.request('GET', `${service.program.path}/claims/${made.body.id}?expand=conversion`);
    assert.equal(expanded.conversion.orderId, 'lost');
  });

  test('for an order that is credited to another affiliate or was not reported can only be rejected', async () => {
    await anOrder(service, { orderId: 'of eve', affiliateId: eve.id });
    const [taken, unknown] = [await claim(ada.id, 'of eve'), await claim(ada.id, 'nowhere')];
    assert.deepEqual([taken.body.evidence.match, unknown.body.evidence.match], ['credited_to_another', 'unknown_order']);
    assert.equal((await claim(eve.id, 'of eve')).body.evidence.match, 'credited_to_claimant');
    for (const { body } of [taken, unknown]) {
      const accepted = await decide(body.id, 'accepted');
      assert.deepEqual([accepted.status, accepted.body.code], [400, 'order_not_unattributed']);
    }
    assert.equal((await decide(taken.body.id, 'rejected')).body.status, 'rejected');
  });

  test('twice is 409; of two simultaneous decisions for one order only one is credited', async () => {
    await service.request('POST', '/v1/conversions', { body: { orderId: 'wanted', amountCents: 1000 } });
    const reportedAt = service.clock.now().toISOString();
    service.clock.advance({ days: 5 });
    const [first, second] = [await claim(ada.id, 'wanted'), await claim(eve.id, 'wanted')];
    assert.equal((await claim(ada.id, 'wanted')).status, 409);
    const answers = await Promise.all([decide(first.body.id, 'accepted'), decide(second.body.id, 'accepted')]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
    const { rows } = await service.pool.query(`select occurred_at from conversions where order_id = 'wanted'`);
    // One, and at the time of the order, not of the claim.
    assert.deepEqual(
      rows.map((row) => row.occurred_at.toISOString()),
      [reportedAt],
    );
  });

  test("for the affiliate's own purchase is held as a self-referral, and counts the order for its customer", async () => {
    const person = await anAffiliate(service, { email: 'claimant@example.com', status: 'active' });
    const once = await aRule(service, { rate: 50, trigger: 'first', affiliateId: eve.id });
    const customer = { email: 'Claimant+shop@example.com' };
    await service.request('POST', '/v1/conversions', { body: { orderId: 'own', amountCents: 1000, customer } });
    const { rows } = await service.pool.query(`select report, buyer_hash from unattributed_orders where order_id = 'own'`);
    assert.match(rows[0].buyer_hash, /^[0-9a-f]{64}$/);
    assert.doesNotMatch(JSON.stringify(rows[0]), /claimant/i);
    const { body } = await decide((await claim(person.id, 'own')).body.id, 'accepted');
    const { body: order } = await service.request('GET', `${service.program.path}/conversions/${body.conversionId}`);
    assert.equal(order.status, 'held');
    const { body: events } = await service.request('GET', `${service.program.path}/fraud-events?conversionId=${order.id}`);
    assert.deepEqual([events.fraudEvents[0].kind, events.fraudEvents[0].evidence.buyerIs], ['self_referral', 'affiliate']);
    const next = await anOrder(service, { affiliateId: eve.id, customer, amountCents: 1000 });
    assert.equal(next.commissionCents, 100);
    await service.request('PATCH', `${service.program.path}/commission-rules/${once}`, { body: { status: 'archived' } });
  });

  test('for an affiliate who is not active cannot be accepted', async () => {
    const suspended = await anAffiliate(service, { status: 'suspended' });
    await service.request('POST', '/v1/conversions', { body: { orderId: 'suspended', amountCents: 1000 } });
    const { id } = (await claim(suspended.id, 'suspended')).body;
    const accepted = await decide(id, 'accepted');
    assert.deepEqual([accepted.status, accepted.body.code], [400, 'affiliate_not_active']);
    const list = async (query: string) => (await service.request('GET', `${service.program.path}/claims?${query}`)).body;
    const found = await list(`affiliateId=${suspended.id}&status=open&status=accepted&expand=affiliate`);
    assert.deepEqual([found.total, found.claims[0].id, found.claims[0].affiliate.email], [1, id, suspended.email]);
    assert.equal((await list(`affiliateId=${suspended.id}&status=accepted`)).total, 0);
  });

  test('for an affiliate of another program is 404', async () => {
    const foreign = await anAffiliate(service, {}, service.foreign);
    assert.equal((await claim(foreign.id, 'x')).status, 404);
  });
});

test('unattributed orders are listed as open or resolved', async () => {
  const list = async (query: string) => (await service.request('GET', `${service.program.path}/unattributed-orders${query}`)).body;
  assert.deepEqual([(await list('')).total, (await list('?resolved=true')).total, (await list('?resolved=false')).total], [4, 3, 1]);
  assert.equal((await list('?orderId=lost')).unattributedOrders[0].reason, 'unknown');
});
