// Missing sales: an affiliate claims, the order that nobody was credited for is found, a person decides.
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
  test('finds the uncredited order and what speaks for it; accepted, it is credited at the rules of its time', async () => {
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
    assert.equal((await decide(made.body.id, 'rejected')).status, 422);
  });

  test('of an order that another has, or that nobody reported, can only be rejected', async () => {
    await anOrder(service, { orderId: 'of eve', affiliateId: eve.id });
    const [taken, unknown] = [await claim(ada.id, 'of eve'), await claim(ada.id, 'nowhere')];
    assert.deepEqual([taken.body.evidence.match, unknown.body.evidence.match], ['credited_to_another', 'unknown_order']);
    assert.equal((await claim(eve.id, 'of eve')).body.evidence.match, 'credited_to_claimant');
    assert.equal((await decide(taken.body.id, 'accepted')).status, 422);
    assert.equal((await decide(taken.body.id, 'rejected')).body.status, 'rejected');
  });

  test('twice is 409; of two at once for one order only one is credited', async () => {
    await service.request('POST', '/v1/conversions', { body: { orderId: 'wanted', amountCents: 1000 } });
    const reportedAt = service.clock.now().toISOString();
    service.clock.advance({ days: 5 });
    const [first, second] = [await claim(ada.id, 'wanted'), await claim(eve.id, 'wanted')];
    assert.equal((await claim(ada.id, 'wanted')).status, 409);
    const answers = await Promise.all([decide(first.body.id, 'accepted'), decide(second.body.id, 'accepted')]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422]);
    const { rows } = await service.pool.query(`select occurred_at from conversions where order_id = 'wanted'`);
    // One, and at the time of the order, not of the claim.
    assert.deepEqual(
      rows.map((row) => row.occurred_at.toISOString()),
      [reportedAt],
    );
  });

  test('on one’s own purchase is held as a self-referral, and counts the order for its customer', async () => {
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

  test('for an affiliate of another program is 404', async () => {
    const foreign = await anAffiliate(service, {}, service.foreign);
    assert.equal((await claim(foreign.id, 'x')).status, 404);
  });
});

test('uncredited orders are listed, open and resolved', async () => {
  const list = async (query: string) => (await service.request('GET', `${service.program.path}/unattributed-orders${query}`)).body;
  assert.deepEqual([(await list('')).total, (await list('?resolved=true')).total, (await list('?resolved=false')).total], [3, 3, 0]);
  assert.equal((await list('?orderId=lost')).unattributedOrders[0].reason, 'unknown');
});
