// The portal shows an affiliate what is theirs: nothing of other affiliates, of buyers or of fraud checks, and nothing that
// their status does not open.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aCoupon, anAffiliate, anOrder, aProduct, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';
import { api } from '../../api.ts';
import { parseRoute } from '../../platform/http/declaration/endpoint.ts';

let service: TestService;
let ada: TestMember;
let adaId: string;
let eve: TestMember;
let stranger: TestMember;
let commissions: { ada: string; adaHeld: string; eve: string };

const portal = (path: string) => `/app/portal/${service.program.programId}${path}`;
const send = (path: string, body: object) => service.request('POST', path, { body });

async function aUser(given: { email: string; firstName: string; lastName: string }, program = service.program) {
  const affiliate = await anAffiliate(service, { ...given, status: 'active' }, program);
  return { ...affiliate, user: await service.asAffiliate(affiliate, program) };
}

before(async () => {
  service = await openTestService();
  await service.pool.query(`update programs set website_url = 'https://shop.example', destination_hosts = '{blog.example}'`);
  await aRule(service, { name: 'Everyone earns', rate: 10 });
  const tea = await aProduct(service, { name: 'Evening Calm Tea', priceCents: 2000 });
  const first = await aUser({ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lindqvist' });
  [ada, adaId] = [first.user, first.id];
  const second = await aUser({ email: 'eve@secret.example', firstName: 'Evelyn', lastName: 'Featherstone' });
  eve = second.user;
  stranger = (await aUser({ email: 'zoe@example.com', firstName: 'Zoe', lastName: 'Marino' }, service.foreign)).user;
  await aRule(service, { name: 'Evelyn Featherstone special', rate: 40, affiliateId: second.id });
  await aCoupon(service, { affiliateId: adaId, code: 'ADA15' });
  await send('/v1/conversions', { orderId: 'waiting', amountCents: 900 });
  const buyer = { externalId: 'buyer-4711', email: 'bella.buyer@example.com', ip: '203.0.113.99' };
  const own = { orderId: 'FF-1', affiliateId: adaId, items: [{ productId: tea, amountCents: 4000, quantity: 2 }], amountCents: 4000 };
  const sold = await anOrder(service, { ...own, customer: buyer });
  const held = await anOrder(service, { orderId: 'FF-2', affiliateId: adaId, customer: { email: 'ada@example.com' } });
  const other = await anOrder(service, { orderId: 'FF-3', affiliateId: second.id, customer: { externalId: 'buyer-4712' } });
  await send('/v1/refunds', { refundId: 're-1', orderId: 'FF-1', amountCents: 1000, note: 'Bella Buyer was unhappy' });
  await send(`${service.program.path}/commissions/${sold.commissions[0].id}/hold`, { note: 'Same address as Evelyn' });
  commissions = { ada: sold.commissions[0].id, adaHeld: held.commissions[0].id, eve: other.commissions[0].id };
});
after(() => service.close());

describe('the portal', () => {
  test('answers other affiliates with the bytes of what does not exist, on every endpoint', async () => {
    const nowhere = { programId: service.ctx.ids.uuid(), commissionId: service.ctx.ids.uuid(), id: service.ctx.ids.uuid() };
    const link = await ada.request('POST', portal('/links'), { body: { name: 'Mine' } });
    const adas = { programId: service.program.programId, commissionId: commissions.ada, id: String(link.body.id) };
    const pathOf = (path: string, ids: Record<string, string>) => path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'x');
    let checked = 0;
    for (const { route, scope, body } of api) {
      if (scope !== 'affiliate') continue;
      const { method, path } = parseRoute(route);
      const ask = async (user: TestMember, ids: Record<string, string>) => {
        const answer = await user.request(method, pathOf(path, ids), { key: null, body: body ? {} : undefined });
        return `${answer.status} ${answer.text.replace(/"requestId":"[^"]*"/, '')}`;
      };
      const expected = await ask(ada, nowhere);
      assert.match(expected, /^404 /, route);
      assert.equal(await ask(stranger, adas), expected, `${route} as an affiliate of another program`);
      if (/:(commissionId|id)\b/.test(path)) assert.equal(await ask(eve, adas), expected, `${route} as another affiliate of the program`);
      checked += 1;
    }
    assert.ok(checked >= 15);
    const links = await ada.request('GET', portal('/links'), { key: null });
    assert.equal(links.body.links.length, 1, 'the link of Ada is still there');
  });

  test('names no other affiliate, no buyer and no fraud evidence', async () => {
    const claims = ['FF-3', 'waiting', 'unknown'].map((orderId) =>
      ada.request('POST', portal('/claims'), { key: null, body: { orderId } }),
    );
    const paths = ['/account', '/home', '/links', '/slug-check?slug=eve', '/qr', '/earnings', '/claims', '/rates'];
    const reads = [...paths, `/earnings/${commissions.ada}`, `/earnings/${commissions.adaHeld}`].map((path) =>
      ada.request('GET', portal(path), { key: null }),
    );
    for (const { status, text } of await Promise.all([...claims, ...reads])) {
      assert.ok(status < 300, text);
      assert.doesNotMatch(text, /evelyn|featherstone|secret\.example|bella|buyer|4711|203\.0\.113|self_referral|evidence|Same address/i);
    }
  });

  test('adds up: what is unpaid is the sum of the earnings that are not paid', async () => {
    const home = (await ada.request('GET', portal('/home'), { key: null })).body;
    const { earnings } = (await ada.request('GET', portal('/earnings'), { key: null })).body;
    const sum = earnings.reduce(
      (cents: number, one: { amountCents: number; reversedCents: number }) => cents + one.amountCents - one.reversedCents,
      0,
    );
    assert.deepEqual([home.unpaidCents, home.money.heldCents], [sum, sum]);
    assert.deepEqual(home.activity.map(({ kind }: { kind: string }) => kind).sort(), ['earning', 'earning', 'return']);
    const { body } = await ada.request('GET', portal(`/earnings/${commissions.ada}`), { key: null });
    assert.deepEqual([body.products, body.reason], [[{ name: 'Evening Calm Tea', quantity: 2 }], 'review']);
    assert.deepEqual([body.why.step, body.why.rate, body.why.baseCents], ['default', 10, 4000]);
    assert.deepEqual(body.timeline.map(({ step }: { step: string }) => step).at(-1), 'reversed');
  });

  test('lists the earnings of a state', async () => {
    const list = async (state: string) => (await ada.request('GET', portal(`/earnings?state=${state}`), { key: null })).body.total;
    assert.deepEqual([await list('held'), await list('pending'), await list('paid')], [2, 0, 0]);
  });

  test('allows links only to the hosts of the program, and names them', async () => {
    const create = (destination: string) => ada.request('POST', portal('/links'), { key: null, body: { name: 'Tea', destination } });
    const allowed = await create('https://shop.example/tea?a=b');
    assert.equal(allowed.status, 201, allowed.text);
    assert.match(allowed.body.url, /\/r\/\w+\?url=https%3A%2F%2Fshop\.example%2Ftea%3Fa%3Db&sub1=tea$/);
    const { status, body } = await create('https://evil.example/');
    assert.deepEqual([status, body.code, body.allowedHosts], [400, 'host_not_allowed', ['shop.example', 'blog.example']]);
    assert.deepEqual(body.details[0].path, ['destination']);
    assert.equal((await create('https://shop.example/other')).body.subId, 'tea-2');
  });

  test('takes a short address once, and shows before whether it is free', async () => {
    const check = async (user: TestMember, slug: string) =>
      (await user.request('GET', portal(`/slug-check?slug=${slug}`), { key: null })).body.reason;
    assert.deepEqual([await check(ada, 'ada-l'), await check(ada, 'a'), await check(ada, 'admin')], [null, 'invalid', 'reserved']);
    const set = (user: TestMember) => user.request('PATCH', portal('/slug'), { key: null, body: { vanitySlug: 'ada-l' } });
    assert.match((await set(ada)).body.url, /\/r\/ada-l$/);
    assert.deepEqual([await check(ada, 'ada-l'), await check(eve, 'ada-l')], [null, 'taken']);
    assert.deepEqual([(await set(eve)).status, (await set(eve)).body.code], [409, 'slug_taken']);
  });

  test('accepts 20 missing sales a day, even when they are reported at the same time', async () => {
    const report = (number: number) => eve.request('POST', portal('/claims'), { key: null, body: { orderId: `missing-${number}` } });
    const statuses = (await Promise.all(Array.from({ length: 24 }, (_, number) => report(number)))).map(({ status }) => status);
    assert.deepEqual([statuses.filter((status) => status === 201).length, statuses.filter((status) => status === 429).length], [20, 4]);
    service.clock.advance({ days: 2 });
    const { cookie } = await service.signIn(eve.userId);
    const headers = { cookie, origin: 'http://api.test' };
    const next = await service.request('POST', portal('/claims'), { key: null, headers, body: { orderId: 'missing-100' } });
    assert.equal(next.status, 201, next.text);
  });
});

describe('an account that is not active', () => {
  const opened: Record<string, RegExp> = {
    pending: /\/(account|own-data|erasure-request(\/withdraw)?|leave|payout-details|tax-form)$/,
    rejected: /\/(account|own-data|erasure-request(\/withdraw)?|leave)$/,
    archived:
      /\/(account|own-data|erasure-request(\/withdraw)?|payouts|statement|payout-details|tax-form|invoice-details|invoices)$|\/invoices\/:id\/|GET .*\/payouts\/:id$/,
    suspended:
      /\/(account|own-data|erasure-request(\/withdraw)?|leave|rates|earnings|bounties|payouts|statement|payout-details|tax-form|invoice-details|invoices)$|\/invoices\/:id\/|GET .*\/(claims|payouts\/:id|earnings\/:commissionId)$/,
  };
  for (const [status, expected] of Object.entries(opened)) {
    test(`that is ${status} reaches only what its status opens`, async () => {
      const email = `${status}@example.com`;
      const affiliate = await anAffiliate(service, { email, status: status === 'archived' ? 'active' : status });
      const user = await service.asAffiliate(affiliate);
      await service.pool.query('update affiliates set status = $2 where id = $1', [affiliate.id, status]);
      for (const { route, scope, body, affiliateStatuses = ['active'] } of api) {
        if (scope !== 'affiliate' || /draft|submit|preview|media|page/.test(route)) continue;
        const { method, path } = parseRoute(route);
        const isOpen = affiliateStatuses.includes(status);
        assert.equal(isOpen, expected.test(route), `${route} as ${status}`);
        const answer = await user.request(method, path.replace(':programId', service.program.programId).replace(/:\w+/, commissions.ada), {
          key: null,
          body: body ? { unknown: true } : undefined,
        });
        if (!isOpen) assert.equal(answer.status, 404, route);
        else if (!/commissionId|(payouts|invoices)\/:id/.test(path)) assert.notEqual(answer.status, 404, route);
      }
    });
  }

  test('that has left is archived with its audit entry, and its earnings stay', async () => {
    let { cookie } = await service.signIn(ada.userId);
    const ask = (method: string, path: string, body?: object) =>
      service.request(method, portal(path), { key: null, headers: { cookie, origin: 'http://api.test' }, body });
    const leave = (referralCode: string) => ask('POST', '/leave', { referralCode });
    const { body: account } = await ask('GET', '/account');
    const before = await service.request('GET', `${service.program.path}/affiliates/${adaId}/balance`);
    assert.equal((await leave('WRONG')).status, 400);
    service.clock.advance({ minutes: 11 });
    assert.equal((await leave(account.referralCode)).body.code, 'fresh_sign_in_required');
    cookie = (await service.signIn(ada.userId)).cookie;
    const left = await leave(account.referralCode);
    assert.deepEqual([left.status, left.body.status], [200, 'archived']);
    const { body: after } = await ask('GET', '/account');
    assert.deepEqual([after.status, after.unpaidCents], ['archived', account.unpaidCents]);
    assert.equal((await ask('GET', '/home')).status, 404);
    assert.equal((await leave(account.referralCode)).status, 404);
    const { rows } = await service.pool.query(
      `select actor_kind, actor_id, after from audit_log where subject_id = $1 and after ? 'status'
      order by created_at desc limit 1`,
      [adaId],
    );
    assert.deepEqual([rows[0].actor_kind, rows[0].actor_id, rows[0].after.status], ['user', ada.userId, 'archived']);
    assert.deepEqual((await service.request('GET', `${service.program.path}/affiliates/${adaId}/balance`)).body, before.body);
  });
});
