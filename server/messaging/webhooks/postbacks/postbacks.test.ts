// Postbacks of affiliates: who receives what, once; what their URLs contain; and who can stop them.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { chrome } from '../../../../test/support/browsers.ts';
import { anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { until } from '../../../../test/support/time/wait.ts';
import { ok, openWebhookReceiver, status, type WebhookReceiver } from '../../../../test/support/webhooks/receiver.ts';
import { createDispatcher, deliverDue } from '../dispatch/dispatcher.ts';
import { fanOut } from '../dispatch/fan-out.ts';

let service: TestService;
let receiver: WebhookReceiver;
let program: TestService['program'];
let path: string;
let ada: { id: string; email: string; referralCode: string };
let user: TestMember;
before(async () => {
  [service, receiver] = await Promise.all([openTestService(), openWebhookReceiver()]);
});
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.answer(ok);
  await service.pool.query(`update webhooks set status = 'paused'`);
  program = await service.newProgram('Postbacks');
  path = `/app/portal/${program.programId}/postbacks`;
  await aRule(service, {}, program);
  ada = await anAffiliate(service, { status: 'active' }, program);
  user = await service.asAffiliate(ada, program);
});
after(async () => {
  receiver.close();
  await service.close();
});

const allEvents = ['conversion.created', 'commission.created', 'commission.approved', 'commission.reversed', 'commission.paid'];
const call = (method: string, address: string, body?: unknown) => service.request(method, address, { body, key: program.key });
type Registered = { by?: TestMember; query?: string; eventTypes?: string[]; method?: string };

/** Registers a postback at a path of the receiver, and returns its id. */
async function register(
  at: string,
  { by = user, query = '?e={event}', eventTypes = allEvents, method = 'GET' }: Registered = {},
): Promise<string> {
  const created = await by.request('POST', path, { body: { url: `${receiver.url(at)}${query}`, method, eventTypes } });
  assert.equal(created.status, 201, created.text);
  return created.body.id;
}

/** The URLs that arrived. */
const arrived = () => receiver.received.map((one) => one.path);

/** Delivers until this many requests have arrived. Transactions of other databases in the cluster can delay events. */
async function deliverUntil(count: number): Promise<void> {
  await until(`${count} requests have arrived`, async () => {
    if (receiver.received.length < count) await deliverDue(service.ctx);
    return receiver.received.length >= count;
  });
}

const order = (given: Record<string, unknown>) => anOrder(service, { amountCents: 10_000, ...given }, program);

async function aClick(referralCode: string, subIds: Record<string, string>): Promise<string> {
  const headers = { 'user-agent': chrome };
  const clicked = await service.request('POST', '/v1/clicks', { key: null, body: { referralCode, ...subIds }, headers });
  assert.equal(clicked.status, 201, clicked.text);
  return clicked.body.clickId;
}

describe('a postback', () => {
  test("is called once for each event of its own affiliate, and for no other affiliate's", async () => {
    const other = await anAffiliate(service, { status: 'active' }, program);
    await register('/ada');
    await register('/other', { by: await service.asAffiliate(other, program) });
    await order({ affiliateId: ada.id });
    await deliverUntil(2);
    await order({ affiliateId: other.id });
    await deliverUntil(4);
    assert.deepEqual(arrived().toSorted(), [
      '/ada?e=commission.created',
      '/ada?e=conversion.created',
      '/other?e=commission.created',
      '/other?e=conversion.created',
    ]);
    assert.equal(await deliverDue(service.ctx), 0);
  });

  test('follows a commission from its order until it is reversed or paid, with the amounts of each', async () => {
    await register('/p', { query: '?e={event}&a={amount}&c={amount_cents}&cur={currency}&s={status}&id={commission_id}' });
    await order({ affiliateId: ada.id, orderId: 'followed' });
    await deliverUntil(2);
    const [{ id: commissionId }] = (await call('GET', `${program.path}/commissions?affiliateId=${ada.id}`)).body.commissions;
    const refunded = await call('POST', '/v1/refunds', { refundId: 'r1', orderId: 'followed', amountCents: 2500 });
    assert.equal(refunded.status, 201, refunded.text);
    await deliverUntil(3);
    assert.deepEqual(arrived().toSorted(), [
      `/p?e=commission.created&a=10.00&c=1000&cur=USD&s=pending&id=${commissionId}`,
      `/p?e=commission.reversed&a=2.50&c=250&cur=USD&s=pending&id=${commissionId}`,
      '/p?e=conversion.created&a=10.00&c=1000&cur=USD&s=pending&id=',
    ]);
  });

  test('receives the sub IDs of the link that was clicked, encoded, from the click to the order and the earning', async () => {
    await register('/p', {
      query: '/{sub1}?s1={sub1}&s2={sub2}&s5={sub5}&click={click_id}&conv={conversion_id}',
      eventTypes: ['commission.created'],
    });
    const clickId = await aClick(ada.referralCode, { subId1: 'a&payout=9#', subId2: '../x', subId5: 'ü' });
    const { id } = await order({ clickId });
    await deliverUntil(1);
    const sub = 'a%26payout%3D9%23';
    assert.deepEqual(arrived(), [`/p/${sub}?s1=${sub}&s2=..%2Fx&s5=%C3%BC&click=${clickId}&conv=${id}`]);
    const earnings = await user.request('GET', `/app/portal/${program.programId}/earnings?subId=${encodeURIComponent('../x')}`);
    assert.deepEqual([earnings.body.total, earnings.body.earnings[0].subIds], [1, ['a&payout=9#', '../x', '', '', 'ü']]);
    const none = await user.request('GET', `/app/portal/${program.programId}/earnings?subId=other`);
    assert.equal(none.body.total, 0);
  });

  test("of an upline has nothing of the downline's order but the amount", async () => {
    const below = await anAffiliate(service, { status: 'active', parentAffiliateId: ada.id }, program);
    await aRule(service, { type: 'percentage', rate: 2, level: 2 }, program);
    await register('/up', {
      query: '?s={sub1}&click={click_id}&conv={conversion_id}&code={coupon_code}&link={link_name}&c={amount_cents}',
    });
    const clickId = await aClick(below.referralCode, { subId1: 'secret' });
    await order({ clickId });
    await deliverUntil(1);
    assert.deepEqual(arrived(), ['/up?s=&click=&conv=&code=&link=&c=200']);
  });

  test('is a request without a body, a signature or a referrer, by the chosen method', async () => {
    await register('/get', { eventTypes: ['commission.created'] });
    await register('/post', { eventTypes: ['commission.created'], method: 'POST' });
    await order({ affiliateId: ada.id });
    await deliverUntil(2);
    for (const { headers, body } of receiver.received) {
      assert.equal(body, '');
      for (const name of ['webhook-id', 'webhook-signature', 'referer', 'cookie', 'authorization'])
        assert.equal(headers[name], undefined, name);
      for (const text of [JSON.stringify(headers)]) assert.ok(!text.includes(ada.email) && !text.includes('postback-'));
    }
  });

  test('is retried, logged, and disabled by a 410 with an email to the affiliate, which shows only the host', async () => {
    const id = await register('/p', { query: '/token-123?e={event}', eventTypes: ['commission.created'] });
    receiver.answer(status(500));
    await order({ affiliateId: ada.id });
    await deliverUntil(1);
    const log = async () => (await user.request('GET', `${path}/${id}/deliveries`)).body.deliveries;
    const [failed] = await log();
    assert.deepEqual(
      [failed.eventType, failed.status, failed.responseStatus, failed.outcome],
      ['commission.created', 'pending', 500, 'rejected'],
    );
    assert.match(failed.url, /token-123\?e=commission.created$/);
    receiver.answer(status(410));
    service.clock.advance({ seconds: 10 });
    await deliverUntil(2);
    const [postback] = (await user.request('GET', path)).body.postbacks;
    assert.deepEqual([postback.status, postback.disabledReason], ['disabled', 'gone']);
    await service.drain();
    const [mail] = service.mails.filter(({ subject }) => subject === 'Postbacks: your postback was disabled');
    assert.deepEqual([mail?.to, mail?.text.includes('token-123')], [ada.email, false]);
  });

  test('sends a test with example values, and shows its response', async () => {
    const id = await register('/p', { query: '?e={event}&s={sub1}&a={amount}' });
    const tested = await user.request('POST', `${path}/${id}/test`);
    assert.deepEqual([tested.status, tested.body.eventType, tested.body.status], [201, 'test', 'pending']);
    await deliverUntil(1);
    assert.deepEqual(arrived(), ['/p?e=commission.created&s=newsletter&a=12.50']);
    const [delivery] = (await user.request('GET', `${path}/${id}/deliveries`)).body.deliveries;
    assert.deepEqual([delivery.id, delivery.status, delivery.responseStatus], [tested.body.id, 'delivered', 200]);
  });

  test('sends nothing while the affiliate is suspended, the program does not allow it, or it is blocked or paused', async () => {
    const id = await register('/p');
    await order({ affiliateId: ada.id });
    await fanOut(service.ctx);
    const affiliate = `${program.path}/affiliates/${ada.id}`;
    await call('PATCH', affiliate, { status: 'suspended' });
    assert.equal(await deliverDue(service.ctx), 0);
    await call('PATCH', affiliate, { status: 'active' });
    assert.equal((await call('PATCH', program.path, { allowsPostbacks: false })).body.allowsPostbacks, false);
    assert.equal(await deliverDue(service.ctx), 0);
    assert.equal((await user.request('POST', `${path}/${id}/test`)).body.code, 'postbacks_not_allowed');
    await call('PATCH', program.path, { allowsPostbacks: true });
    const staff = await service.asMember('admin', { program });
    const reviewed = `/app/programs/${program.programId}/affiliates/${ada.id}/postbacks`;
    const blocked = await staff.request('PATCH', `${reviewed}/${id}`, { body: { isBlocked: true } });
    assert.deepEqual([blocked.status, blocked.body.disabledReason], [200, 'program']);
    assert.equal(await deliverDue(service.ctx), 0);
    assert.equal((await user.request('PATCH', `${path}/${id}`, { body: { status: 'active' } })).body.code, 'postback_blocked');
    const [seen] = (await staff.request('GET', reviewed)).body.postbacks;
    assert.deepEqual([seen.host, 'url' in seen], [new URL(receiver.url('/')).host, false]);
    await staff.request('PATCH', `${reviewed}/${id}`, { body: { isBlocked: false } });
    await user.request('PATCH', `${path}/${id}`, { body: { status: 'paused' } });
    assert.deepEqual([await deliverDue(service.ctx), receiver.received.length], [0, 0]);
    const audit = await call('GET', `${program.path}/audit-events?subjectId=${id}`);
    assert.ok(!audit.text.includes('{event}'), 'the audit log has only the host');
  });

  test('that is changed while it is being sent keeps the delivery, which goes to the new URL when it is due again', async () => {
    const id = await register('/old', { eventTypes: ['commission.created'] });
    await order({ affiliateId: ada.id });
    const changes: Promise<unknown>[] = [];
    receiver.answer((request, response) => {
      if (request.path.startsWith('/old'))
        changes.push(
          user.request('PATCH', `${path}/${id}`, { body: { url: `${receiver.url('/new')}?e={event}`, eventTypes: ['commission.paid'] } }),
        );
      void Promise.all(changes).then(() => (request.path.startsWith('/old') ? status(500) : ok)(request, response));
    });
    await deliverUntil(1);
    await Promise.all(changes);
    service.clock.advance({ seconds: 10 });
    await deliverUntil(2);
    assert.deepEqual(arrived(), ['/old?e=commission.created', '/new?e=commission.created']);
    await order({ affiliateId: ada.id });
    await fanOut(service.ctx);
    assert.equal(await deliverDue(service.ctx), 0, 'the events that it no longer wants are not added');
  });

  test('is called once by several processes at the same time', async () => {
    await register('/p', { eventTypes: ['commission.created'] });
    for (let n = 0; n < 5; n += 1) await order({ affiliateId: ada.id });
    const dispatchers = Array.from({ length: 4 }, () => createDispatcher(service.ctx));
    await until('five requests have arrived', async () => {
      await Promise.all(dispatchers.map(() => fanOut(service.ctx)));
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.round()));
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.settled()));
      return receiver.received.length >= 5;
    });
    assert.deepEqual([await deliverDue(service.ctx), receiver.received.length], [0, 5]);
  });
});

describe('the postbacks of another affiliate', () => {
  test('do not exist: every endpoint answers as for an id that does not exist', async () => {
    const id = await register('/p');
    const other = await anAffiliate(service, { status: 'active' }, program);
    const foreign = await service.asAffiliate(other, program);
    const requests = [
      ['PATCH', '', { status: 'paused' }],
      ['PATCH', '', { status: 'unknown' }],
      ['DELETE', '', undefined],
      ['POST', '/test', undefined],
      ['GET', '/deliveries', undefined],
    ] as const;
    for (const [method, rest, body] of requests) {
      const [theirs, nobodys] = [
        await foreign.request(method, `${path}/${id}${rest}`, { body }),
        await foreign.request(method, `${path}/${service.ctx.ids.uuid()}${rest}`, { body }),
      ];
      assert.deepEqual([theirs.status, { ...theirs.body, requestId: '' }], [404, { ...nobodys.body, requestId: '' }], `${method} ${rest}`);
    }
    assert.equal((await foreign.request('GET', path)).body.postbacks.length, 0);
  });

  test('are not among the webhooks of the program', async () => {
    const id = await register('/p');
    assert.equal((await call('GET', `${program.path}/webhooks`)).body.total, 0);
    for (const rest of ['', '/deliveries']) assert.equal((await call('GET', `${program.path}/webhooks/${id}${rest}`)).status, 404);
    assert.equal((await call('DELETE', `${program.path}/webhooks/${id}`)).status, 404);
  });
});

test('an affiliate has up to five postbacks, even when they are registered at the same time', async () => {
  const body = { url: `${receiver.url('/p')}?c={sub1}`, method: 'GET', eventTypes: ['commission.created'] };
  const created = await Promise.all(Array.from({ length: 8 }, () => user.request('POST', path, { body })));
  assert.deepEqual(created.map((one) => one.status).toSorted(), [201, 201, 201, 201, 201, 400, 400, 400]);
});

test('a URL with unknown macros, or with a macro in its host, is rejected with 400', async () => {
  const body = (url: string) => ({ body: { url, method: 'GET', eventTypes: ['commission.created'] } });
  const unknown = await user.request('POST', path, body('https://a.example/?o={order_id}'));
  assert.deepEqual([unknown.status, unknown.body.details[0].message], [400, 'must not contain unknown macros: {order_id}']);
  for (const url of ['https://{sub1}/', 'https://a.example@{sub1}', 'https://{sub1}@a.example/x', `https://a.example/${'x'.repeat(2100)}`])
    assert.equal((await user.request('POST', path, body(url))).status, 400, url);
});
