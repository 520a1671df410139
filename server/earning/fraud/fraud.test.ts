// Fraud alerts on orders: the order is always recorded, its commissions are held, and a user decides.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';
import { normalizeMailbox } from '../customers/buyer.ts';

let service: TestService;
let ada: { id: string; email: string };
let upline: { id: string; email: string };

before(async () => {
  service = await openTestService();
  await aRule(service, { rate: 10 });
  await aRule(service, { rate: 2, level: 2 });
  upline = await anAffiliate(service, { email: 'grace.hopper@gmail.com', status: 'active' });
  ada = await anAffiliate(service, { email: 'ada@example.com', status: 'active', parentAffiliateId: upline.id });
});
after(() => service.close());

const eventsOf = async (conversionId: string) =>
  (await service.request('GET', `${service.program.path}/fraud-events?conversionId=${conversionId}`)).body.fraudEvents;
const resolve = (id: string, resolution: string) =>
  service.request('POST', `${service.program.path}/fraud-events/${id}/resolve`, { body: { resolution, note: 'Reviewed' } });
const balanceOf = async (id: string) => (await service.request('GET', `${service.program.path}/affiliates/${id}/balance`)).body;

describe('self-referral', () => {
  for (const email of ['ADA@example.com', 'ada+shop@example.com'])
    test(`an order by ${email} through Ada's link is recorded, held on every level, with an alert`, async () => {
      const order = await anOrder(service, { affiliateId: ada.id, customer: { email } });
      assert.equal(order.status, 'held');
      assert.deepEqual(
        order.commissions.map(({ status }: { status: string }) => status),
        ['held', 'held'],
      );
      const [event] = await eventsOf(order.id);
      assert.deepEqual([event.kind, event.status, event.evidence.buyerIs], ['self_referral', 'open', 'affiliate']);
    });

  test("an order by the upline is a self-referral; dots in a Gmail address don't hide it", async () => {
    const order = await anOrder(service, { affiliateId: ada.id, customer: { email: 'gracehopper+x@googlemail.com' } });
    assert.equal((await eventsOf(order.id))[0].evidence.buyerIs, 'upline');
    assert.notEqual(normalizeMailbox('a.b@example.com'), normalizeMailbox('ab@example.com'));
  });

  for (const email of ['ada@ＥＸＡＭＰＬＥ.com', 'ada@example\u3002com', 'ADA+x@ｅｘａｍｐｌｅ．ｃｏｍ', 'ada@ex\u00adample.com'])
    test(`${email} is delivered to Ada and counts as her address`, async () => {
      const order = await anOrder(service, { affiliateId: ada.id, customer: { email } });
      assert.equal((await eventsOf(order.id))[0]?.evidence.buyerIs, 'affiliate');
      const { rows } = await service.pool.query('select customer_key from conversions where id = $1', [order.id]);
      const plain = await anOrder(service, {
        affiliateId: ada.id,
        customer: { email: email.includes('+') ? 'ada+x@example.com' : 'ada@example.com' },
      });
      assert.deepEqual((await service.pool.query('select customer_key from conversions where id = $1', [plain.id])).rows, rows);
    });

  test('both spellings of an internationalized domain are the same domain', () => {
    assert.equal(normalizeMailbox('ada@bücher.example') === normalizeMailbox('ada@xn--bcher-kva.example'), true);
    assert.equal(normalizeMailbox('ada@BU\u0308CHER.example') === normalizeMailbox('ada@bücher.example'), true);
    assert.equal(normalizeMailbox('ａｄａ@example.com') === normalizeMailbox('ada@example.com'), true);
    assert.equal(normalizeMailbox('g.hopper@ｇｍａｉｌ.com') === normalizeMailbox('ghopper@googlemail.com'), true);
    assert.equal(normalizeMailbox('ada@bucher.example') === normalizeMailbox('ada@bücher.example'), false);
  });

  test('a held commission never matures', async () => {
    const order = await anOrder(service, { affiliateId: ada.id, customer: { email: ada.email } });
    service.clock.advance({ days: 31 });
    await service.drain();
    const { body } = await service.request('GET', `${service.program.path}/conversions/${order.id}`);
    assert.equal(body.status, 'held');
  });
});

describe('resolving', () => {
  test('`legitimate` returns the commission to pending or approved by its time; a resolution is final', async () => {
    const order = await anOrder(service, { affiliateId: ada.id, amountCents: 5000, customer: { email: ada.email } });
    const [event] = await eventsOf(order.id);
    const { status, body } = await resolve(event.id, 'legitimate');
    assert.deepEqual([status, body.status], [200, 'legitimate']);
    const { body: after } = await service.request('GET', `${service.program.path}/conversions/${order.id}`);
    assert.equal(after.status, 'pending');
    assert.equal((await resolve(event.id, 'legitimate')).status, 422);
    const changed = await resolve(event.id, 'fraud');
    assert.deepEqual([changed.status, changed.body.code], [400, 'fraud_event_resolved']);
  });

  test('`fraud` rejects every level and reverses the commissions once', async () => {
    const [before, total] = [await balanceOf(ada.id), await totalOf(ada.id)];
    const order = await anOrder(service, { affiliateId: ada.id, amountCents: 5000, customer: { email: ada.email } });
    assert.equal((await balanceOf(ada.id)).pendingCents, before.pendingCents + 500);
    const [event] = await eventsOf(order.id);
    assert.equal((await resolve(event.id, 'fraud')).status, 200);
    const { body: after } = await service.request('GET', `${service.program.path}/conversions/${order.id}`);
    assert.equal(after.status, 'rejected');
    assert.deepEqual(await balanceOf(ada.id), before);
    assert.equal(await totalOf(ada.id), total);
  });

  test('a refund of a rejected order changes no balance', async () => {
    const order = await anOrder(service, { orderId: 'rejected', affiliateId: ada.id, amountCents: 5000, customer: { email: ada.email } });
    const [event] = await eventsOf(order.id);
    await resolve(event.id, 'fraud');
    const before = await balanceOf(ada.id);
    const { status, body } = await service.request('POST', '/v1/refunds', {
      body: { refundId: 'rj', orderId: 'rejected', amountCents: 100 },
    });
    assert.deepEqual([status, body.adjustments], [201, []]);
    assert.deepEqual(await balanceOf(ada.id), before);
  });

  test('resolving the first of two alerts does not release the commission', async () => {
    const clickId = service.ctx.ids.uuid();
    await service.pool.query(`insert into clicks (program_id, id, affiliate_id, created_at) values ($1, $2, $3, $4)`, [
      service.program.programId,
      clickId,
      ada.id,
      new Date(service.clock.now().getTime() - 1000),
    ]);
    const order = await anOrder(service, { clickId, customer: { email: ada.email } });
    const events = await eventsOf(order.id);
    assert.deepEqual(events.map(({ kind }: { kind: string }) => kind).sort(), ['fast_order', 'self_referral']);
    await resolve(events[0].id, 'legitimate');
    assert.equal((await service.request('GET', `${service.program.path}/conversions/${order.id}`)).body.status, 'held');
    await resolve(events[1].id, 'legitimate');
    assert.equal((await service.request('GET', `${service.program.path}/conversions/${order.id}`)).body.status, 'pending');
  });
});

test('an order on hold says why: in the 201, in lists and in events, until each cause has ended', async () => {
  const order = await anOrder(service, { affiliateId: ada.id, customer: { email: ada.email } });
  assert.deepEqual(order.holdReasons, ['self_referral']);
  const path = `${service.program.path}/conversions/${order.id}`;
  const [commission] = order.commissions;
  await service.request('POST', `${service.program.path}/commissions/${commission.id}/hold`, { body: { note: 'Ask Ada' } });
  const list = async () =>
    (await service.request('GET', `${service.program.path}/conversions?status=held&sort=-createdAt`)).body.conversions;
  const row = (await list()).find(({ id }: { id: string }) => id === order.id);
  assert.deepEqual(
    [row.holdReasons, (await service.request('GET', path)).body.holdReasons],
    [
      ['manual', 'self_referral'],
      ['manual', 'self_referral'],
    ],
  );
  const { rows } = await service.pool.query(
    `select data -> 'holdReasons' as reasons from events where object_id = $1 and type = 'conversion.held'`,
    [order.id],
  );
  assert.deepEqual(rows, [{ reasons: ['self_referral'] }]);
  await resolve((await eventsOf(order.id))[0].id, 'legitimate');
  assert.deepEqual((await service.request('GET', path)).body.holdReasons, ['manual']);
  await service.request('POST', `${service.program.path}/commissions/${commission.id}/release`);
  const released = (await service.request('GET', path)).body;
  assert.deepEqual([released.status, released.holdReasons], ['pending', []]);
});

test('a program can flag orders only, or turn a check off', async () => {
  const path = `${service.program.path}/fraud-settings`;
  assert.equal((await service.request('PATCH', path, { body: { selfReferral: 'flag' } })).body.selfReferral, 'flag');
  const flagged = await anOrder(service, { affiliateId: ada.id, customer: { email: ada.email } });
  assert.deepEqual([flagged.status, (await eventsOf(flagged.id)).length], ['pending', 1]);
  await service.request('PATCH', path, { body: { selfReferral: 'off' } });
  const ignored = await anOrder(service, { affiliateId: ada.id, customer: { email: ada.email } });
  assert.equal((await eventsOf(ignored.id)).length, 0);
  assert.equal((await service.request('PATCH', path, { body: { selfReferral: 'maybe' } })).status, 400);
  assert.deepEqual((await service.request('GET', path)).body.fastOrderSeconds, 3);
});

test('afterwards every invariant holds', async () => {
  assert.deepEqual(
    (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0).map(({ name }) => name),
    [
      // One click was inserted manually.
      'daily totals equal the clicks, orders, refunds and commissions of their days',
      'lifetime totals equal the clicks, orders, refunds and commissions',
    ],
  );
});

async function totalOf(id: string): Promise<number> {
  const { rows } = await service.pool.query('select commission_cents from affiliates where id = $1', [id]);
  return rows[0].commission_cents;
}
