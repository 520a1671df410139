// What fraud settings would have found: with the settings that were stored, exactly the alerts that were opened.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aCoupon, anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { calculateEffect } from './effect.ts';

const everyCheck = {
  selfReferral: 'flag',
  fastOrder: 'hold',
  fastOrderSeconds: 10,
  couponWithoutClick: 'flag',
  checkoutHijack: 'hold',
  disposableMailbox: 'flag',
  paidSearch: 'hold',
  sharedDevice: 'flag',
};
const nothing = {
  selfReferral: 'off',
  fastOrder: 'off',
  couponWithoutClick: 'off',
  checkoutHijack: 'off',
  disposableMailbox: 'off',
  paidSearch: 'off',
  sharedDevice: 'off',
};
const kinds = {
  selfReferral: 'self_referral',
  fastOrder: 'fast_order',
  couponWithoutClick: 'coupon_without_click',
  checkoutHijack: 'checkout_hijack',
  disposableMailbox: 'disposable_mailbox',
  paidSearch: 'paid_search',
  sharedDevice: 'shared_device',
};

type Effect = {
  check: keyof typeof kinds;
  action: string;
  orders: number;
  amountCents: number;
  fraudCount: number;
  uncheckedCount: number;
};

describe('the effect of fraud settings', () => {
  let service: TestService;
  let dana: TestMember;
  let ada: { id: string; email: string };
  let kofi: { id: string; email: string };

  before(async () => {
    service = await openTestService();
    dana = await service.asMember('viewer', { name: 'Dana Calder' });
    await aRule(service, { rate: 10 });
    kofi = await anAffiliate(service, { email: 'kofi@example.com', status: 'active' });
    ada = await anAffiliate(service, { email: 'ada@example.com', status: 'active', parentAffiliateId: kofi.id });
    await aCoupon(service, { affiliateId: ada.id, code: 'ADA20' });
    await service.request('PATCH', service.program.path, { body: { hijackGuardSeconds: 60 } });
    await save(everyCheck);
    await anOrder(service, { affiliateId: ada.id, amountCents: 1000, customer: { email: 'Ada+shop@example.com' } });
    await anOrder(service, { affiliateId: ada.id, amountCents: 2000, customer: { email: 'kofi@example.com' } });
    await anOrder(service, { affiliateId: ada.id, amountCents: 4000, customer: { email: 'other@shop.Mailinator.com' } });
    await anOrder(service, { couponCode: 'ADA20', amountCents: 3000 });
    await anOrder(service, { couponCode: 'ADA20', clickId: await aVisit(ada.id, { secondsAgo: 90 }), amountCents: 5000 });
    const destination = 'https://shop.example/?gclid=x1&utm_term=field+tea';
    await anOrder(service, { clickId: await aVisit(ada.id, { secondsAgo: 65, destination }), amountCents: 6000 });
    for (const secondsAgo of [2, 9]) await anOrder(service, { clickId: await aVisit(ada.id, { secondsAgo }), amountCents: 7000 });
    await useBrowser(ada, 'browser-of-ada');
    await anOrder(service, { clickId: await aVisit(ada.id, { secondsAgo: 11, visitor: 'browser-of-ada' }), amountCents: 7000 });
    const visitor = 'visitor-of-both';
    await aVisit(ada.id, { secondsAgo: 3600, visitor });
    await anOrder(service, { clickId: await aVisit(kofi.id, { secondsAgo: 20, visitor }), amountCents: 9000 });
  });
  after(() => service.close());

  const save = (body: object) => service.request('PATCH', `${service.program.path}/fraud-settings`, { body });
  /** Signs an affiliate in with a browser that follows links as this visitor. */
  async function useBrowser(affiliate: { id: string; email: string }, visitor: string): Promise<void> {
    const { sessionId } = await service.asAffiliate(affiliate);
    await service.pool.query('update sessions set is_from_command = false, visitor_id = $2 where id = $1', [sessionId, visitor]);
  }
  type Given = { secondsAgo: number; visitor?: string | null; destination?: string | null };
  async function aVisit(affiliateId: string, { secondsAgo, visitor = null, destination = null }: Given) {
    const id = service.ctx.ids.uuid();
    const at = new Date(service.clock.now().getTime() - secondsAgo * 1000);
    const values = [service.program.programId, id, affiliateId, at, visitor, destination];
    await service.pool.query(
      'insert into clicks (program_id, id, affiliate_id, created_at, visitor_id, destination) values ($1, $2, $3, $4, $5, $6)',
      values,
    );
    return id;
  }
  const read = async (body: object): Promise<{ checkedCount: number; isComplete: boolean; effects: Effect[] }> => {
    const path = `/app/programs/${service.program.programId}/fraud-settings/effect`;
    const response = await dana.request('POST', path, { key: null, body });
    assert.equal(response.status, 200, response.text);
    return response.body;
  };
  const ordersOf = ({ effects }: { effects: Effect[] }) => Object.fromEntries(effects.map(({ check, orders }) => [check, orders]));
  const opened = async () =>
    (
      await service.pool.query(
        `select kind, count(*)::int as orders, sum(v.amount_cents)::int as cents from fraud_events as event
         join conversions as v on v.program_id = event.program_id and v.id = event.conversion_id group by kind`,
      )
    ).rows;

  test('is what the same settings found when the orders were reported', async () => {
    const found = new Map((await opened()).map(({ kind, orders, cents }) => [kind, [orders, cents]]));
    assert.equal(found.size, 7, 'each check found orders');
    const effect = await read(everyCheck);
    assert.deepEqual([effect.checkedCount, effect.isComplete], [10, true]);
    for (const { check, action, orders, amountCents } of effect.effects) {
      assert.deepEqual([orders, amountCents], found.get(kinds[check]), check);
      assert.equal(action, everyCheck[check]);
    }
    assert.deepEqual(await read({}), effect, 'omitted settings are the stored ones');
  });

  test('follows the settings that are tried, and changes nothing', async () => {
    const before = await service.pool.query('select * from fraud_events order by id');
    const settings = (await service.request('GET', `${service.program.path}/fraud-settings`)).body;
    assert.equal(ordersOf(await read({ fastOrderSeconds: 3 })).fastOrder, 1);
    assert.equal(ordersOf(await read({ fastOrderSeconds: 60 })).fastOrder, 3);
    assert.deepEqual(ordersOf(await read(nothing)), {
      selfReferral: 0,
      fastOrder: 0,
      couponWithoutClick: 0,
      checkoutHijack: 0,
      disposableMailbox: 0,
      paidSearch: 0,
      sharedDevice: 0,
    });
    await save(nothing);
    assert.deepEqual(ordersOf(await read(everyCheck)), {
      selfReferral: 2,
      fastOrder: 2,
      couponWithoutClick: 1,
      checkoutHijack: 1,
      disposableMailbox: 1,
      paidSearch: 1,
      sharedDevice: 1,
    });
    await save(everyCheck);
    assert.deepEqual((await service.request('GET', `${service.program.path}/fraud-settings`)).body, settings);
    assert.deepEqual((await service.pool.query('select * from fraud_events order by id')).rows, before.rows);
  });

  test('says how many orders were recorded before disposable mailboxes were recognized', async () => {
    const unknown = async () => {
      const { effects } = await read(everyCheck);
      return effects.flatMap(({ check, orders, uncheckedCount }) => (check === 'disposableMailbox' ? [orders, uncheckedCount] : []));
    };
    assert.deepEqual(await unknown(), [1, 0]);
    await service.pool.query("update conversions set decision = decision - 'disposableDomain'");
    assert.deepEqual(await unknown(), [0, 3]);
  });

  test('counts those that were resolved as fraud', async () => {
    const { body } = await service.request('GET', `${service.program.path}/fraud-events?kind=self_referral`);
    await service.request('POST', `${service.program.path}/fraud-events/${body.fraudEvents[0].id}/resolve`, {
      body: { resolution: 'fraud' },
    });
    const { effects } = await read({ selfReferral: 'hold' });
    const [own] = effects.filter(({ check }) => check === 'selfReferral');
    assert.deepEqual([own?.action, own?.orders, own?.fraudCount], ['hold', 2, 1]);
  });

  test('checks the newest orders only, up to a limit, and none that are older than 30 days', async () => {
    const { checkedCount, isComplete, effects } = await calculateEffect(service.ctx, service.program.programId, { changes: {}, limit: 2 });
    assert.deepEqual([checkedCount, isComplete], [2, false]);
    assert.equal(effects.reduce((sum, { orders }) => sum + orders, 0) <= 2, true);
    const all = await calculateEffect(service.ctx, service.program.programId, { changes: {}, limit: 10 });
    assert.deepEqual([all.checkedCount, all.isComplete], [10, true]);
    service.clock.advance({ days: 31 });
    const later = await calculateEffect(service.ctx, service.program.programId, { changes: {}, limit: 10 });
    service.clock.advance({ days: -31 });
    assert.equal(later.checkedCount, 0);
  });

  test('names each field that is wrong', async () => {
    const path = `/app/programs/${service.program.programId}/fraud-settings/effect`;
    const { status, body } = await dana.request('POST', path, { key: null, body: { fastOrderSeconds: 0, selfReferral: 'reject' } });
    assert.deepEqual(
      [status, body.details.map((detail: { path: string[] }) => detail.path[0]).sort()],
      [400, ['fastOrderSeconds', 'selfReferral']],
    );
  });
});
