// Doubts about an order: it is always recorded, what it earns is held, and a person decides.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';
import { mailboxOf } from './suspicions.ts';

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
  service.request('POST', `${service.program.path}/fraud-events/${id}/resolve`, { body: { resolution, note: 'looked at' } });
const balanceOf = async (id: string) => (await service.request('GET', `${service.program.path}/affiliates/${id}/balance`)).body;

describe('self-referral', () => {
  for (const email of ['ADA@example.com', 'ada+shop@example.com'])
    test(`${email} buying by Ada's link: 201, held on every level, an event`, async () => {
      const order = await anOrder(service, { affiliateId: ada.id, customer: { email } });
      assert.equal(order.status, 'held');
      assert.deepEqual(
        order.commissions.map(({ status }: { status: string }) => status),
        ['held', 'held'],
      );
      const [event] = await eventsOf(order.id);
      assert.deepEqual([event.kind, event.status, event.evidence.buyerIs], ['self_referral', 'open', 'affiliate']);
    });

  test('the upline buying is one too; dots of Gmail hide nobody', async () => {
    const order = await anOrder(service, { affiliateId: ada.id, customer: { email: 'gracehopper+x@googlemail.com' } });
    assert.equal((await eventsOf(order.id))[0].evidence.buyerIs, 'upline');
    assert.notEqual(mailboxOf('a.b@example.com'), mailboxOf('ab@example.com'));
  });

  for (const email of ['ada@ＥＸＡＭＰＬＥ.com', 'ada@example\u3002com', 'ADA+x@ｅｘａｍｐｌｅ．ｃｏｍ', 'ada@ex\u00adample.com'])
    test(`${email}, which is delivered to Ada, is Ada buying`, async () => {
      const order = await anOrder(service, { affiliateId: ada.id, customer: { email } });
      assert.equal((await eventsOf(order.id))[0]?.evidence.buyerIs, 'affiliate');
      const { rows } = await service.pool.query('select customer_key from conversions where id = $1', [order.id]);
      const plain = await anOrder(service, {
        affiliateId: ada.id,
        customer: { email: email.includes('+') ? 'ada+x@example.com' : 'ada@example.com' },
      });
      assert.deepEqual((await service.pool.query('select customer_key from conversions where id = $1', [plain.id])).rows, rows);
    });

  test('an internationalized domain is one domain in both of its spellings', () => {
    assert.equal(mailboxOf('ada@bücher.example') === mailboxOf('ada@xn--bcher-kva.example'), true);
    assert.equal(mailboxOf('ada@BU\u0308CHER.example') === mailboxOf('ada@bücher.example'), true);
    assert.equal(mailboxOf('ａｄａ@example.com') === mailboxOf('ada@example.com'), true);
    assert.equal(mailboxOf('g.hopper@ｇｍａｉｌ.com') === mailboxOf('ghopper@googlemail.com'), true);
    assert.equal(mailboxOf('ada@bucher.example') === mailboxOf('ada@bücher.example'), false);
  });

  test('held money never matures', async () => {
    const order = await anOrder(service, { affiliateId: ada.id, customer: { email: ada.email } });
    service.clock.advance({ days: 31 });
    await service.drain();
    const { body } = await service.request('GET', `${service.program.path}/conversions/${order.id}`);
    assert.equal(body.status, 'held');
  });
});

describe('deciding', () => {
  test('legitimate lets the money go on to where its time puts it', async () => {
    const order = await anOrder(service, { affiliateId: ada.id, amountCents: 5000, customer: { email: ada.email } });
    const [event] = await eventsOf(order.id);
    const { status, body } = await resolve(event.id, 'legitimate');
    assert.deepEqual([status, body.status], [200, 'legitimate']);
    const { body: after } = await service.request('GET', `${service.program.path}/conversions/${order.id}`);
    assert.equal(after.status, 'pending');
    assert.equal((await resolve(event.id, 'fraud')).status, 422);
  });

  test('fraud rejects every level and takes back what was earned, once', async () => {
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

  test('a refund of a rejected order gives nothing back', async () => {
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

  test('two open doubts: the first found legitimate releases nothing yet', async () => {
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

test('a program may only flag, or not look at all', async () => {
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
    ['lifetime totals equal the clicks, conversions and commissions'], // One click was put in by hand.
  );
});

async function totalOf(id: string): Promise<number> {
  const { rows } = await service.pool.query('select commission_cents from affiliates where id = $1', [id]);
  return rows[0].commission_cents;
}
