// Commissions after they were earned: maturing, holding, adjusting, bonuses, and their history.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aGroup, anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';
import { matureAll } from './mature.ts';

let service: TestService;
let ada: { id: string };

before(async () => {
  service = await openTestService();
  await aRule(service, { rate: 10 });
  ada = await anAffiliate(service, { status: 'active' });
});
after(() => service.close());

const path = (id: string, action = '') => `${service.program.path}/commissions/${id}${action}`;
const post = (id: string, action: string, body: object) => service.request('POST', path(id, `/${action}`), { body });
const get = async (id: string) => (await service.request('GET', path(id))).body;
const balance = async (id = ada.id) => (await service.request('GET', `${service.program.path}/affiliates/${id}/balance`)).body;
const earn = async (given: Record<string, unknown> = {}) => (await anOrder(service, { affiliateId: ada.id, ...given })).commissions[0];

describe('maturing', () => {
  test('happens when the hold is over, not a millisecond before, once, with an event', async () => {
    const { id, maturesAt } = await earn();
    const before = await balance();
    service.clock.advance({ seconds: (new Date(maturesAt).getTime() - service.clock.now().getTime()) / 1000 - 0.001 });
    await matureAll(service.ctx);
    assert.equal((await get(id)).status, 'pending');
    service.clock.advance({ seconds: 0.001 });
    const counts = await Promise.all([matureAll(service.ctx), matureAll(service.ctx), matureAll(service.ctx)]);
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      1,
    );
    const matured = await get(id);
    assert.equal(matured.status, 'approved');
    assert.deepEqual(
      matured.history.map(({ fromStatus, toStatus, actorKind }: Record<string, unknown>) => [fromStatus, toStatus, actorKind]),
      [
        [null, 'pending', 'api_key'],
        ['pending', 'approved', 'schedule'],
      ],
    );
    const after = await balance();
    assert.deepEqual([after.pendingCents, after.availableCents], [before.pendingCents - 1000, before.availableCents + 1000]);
  });

  test('of one takes no other along whose time has not come', async () => {
    const early = await earn({ occurredAt: new Date(service.clock.now().getTime() - 29 * 86_400_000).toISOString() });
    const late = await earn();
    service.clock.advance({ days: 2 });
    await matureAll(service.ctx);
    assert.deepEqual([(await get(early.id)).status, (await get(late.id)).status], ['approved', 'pending']);
  });

  test('follows the hold that was set when it was earned: the program’s, or the group’s; later changes and moves change nothing', async () => {
    const groupId = await aGroup(service);
    await service.request('PATCH', `${service.program.path}/groups/${groupId}`, { body: { holdDays: 3 } });
    const member = await anAffiliate(service, { status: 'active', groupId });
    const at = service.clock.now().getTime();
    const days = (order: { commissions: { maturesAt: string }[] }) =>
      (new Date(order.commissions[0]?.maturesAt ?? 0).getTime() - at) / 86_400_000;
    const first = await anOrder(service, { affiliateId: member.id });
    assert.equal(days(first), 3);
    await service.request('PATCH', `${service.program.path}/affiliates/${member.id}`, { body: { groupId: null } });
    await service.request('PATCH', service.program.path, { body: { holdDays: 90 } });
    assert.equal((await get(first.commissions[0].id)).maturesAt, first.commissions[0].maturesAt);
    assert.equal(days(await anOrder(service, { affiliateId: member.id })), 90);
    await service.request('PATCH', service.program.path, { body: { holdDays: 30 } });
  });
});

describe('holding and releasing', () => {
  test('a held commission does not mature; released late it is payable at once, early it waits', async () => {
    const { id } = await earn();
    assert.equal((await post(id, 'hold', { reason: 'Returned parcel?' })).body.status, 'held');
    assert.equal((await get(id)).reason, 'Returned parcel?');
    assert.equal((await post(id, 'release', {})).body.status, 'pending');
    await post(id, 'hold', { reason: 'again' });
    service.clock.advance({ days: 31 });
    await matureAll(service.ctx);
    assert.equal((await get(id)).status, 'held');
    assert.equal((await post(id, 'release', {})).body.status, 'approved');
  });

  test('an approved one goes back to pending money, and comes back', async () => {
    const { id } = await earn();
    service.clock.advance({ days: 31 });
    await matureAll(service.ctx);
    const before = await balance();
    await post(id, 'hold', { reason: 'x' });
    assert.equal((await balance()).availableCents, before.availableCents - 1000);
    await post(id, 'release', {});
    assert.deepEqual(await balance(), before);
  });

  test('what there is nothing to do for is 422, a missing reason 400', async () => {
    const { id } = await earn();
    assert.equal((await post(id, 'release', {})).status, 422);
    await post(id, 'hold', { reason: 'x' });
    assert.deepEqual([(await post(id, 'hold', { reason: 'x' })).status, (await post(id, 'hold', {})).status], [422, 400]);
  });

  test('twenty holds at once hold once', async () => {
    const { id } = await earn();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(id, 'hold', { reason: 'x' })));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal((await get(id)).history.length, 2);
  });
});

describe('adjusting', () => {
  test('adds an entry with a reason and leaves the original as it was', async () => {
    const { id } = await earn();
    const before = await balance();
    const { status, body } = await post(id, 'adjust', { amountCents: -150, reason: 'Shipping was included' });
    assert.equal(status, 201);
    assert.deepEqual(
      [body.kind, body.amountCents, body.status, body.adjustsCommissionId, body.reason],
      ['adjustment', -150, 'pending', id, 'Shipping was included'],
    );
    assert.deepEqual([(await get(id)).amountCents, (await get(id)).owedCents], [1000, 1000]);
    assert.equal((await balance()).pendingCents, before.pendingCents - 150);
    const up = await post(id, 'adjust', { amountCents: 75, reason: 'Half of it' });
    assert.equal(up.body.maturesAt, (await get(id)).maturesAt);
    service.clock.advance({ days: 31 });
    await matureAll(service.ctx);
    const after = await balance();
    assert.equal(after.availableCents - before.availableCents >= 925, true);
  });

  test('never takes away more than is left', async () => {
    const { id } = await earn();
    assert.equal((await post(id, 'adjust', { amountCents: -1001, reason: 'x' })).status, 400);
    assert.equal((await post(id, 'adjust', { amountCents: -600, reason: 'x' })).status, 201);
    const { status, body } = await post(id, 'adjust', { amountCents: -401, reason: 'x' });
    assert.deepEqual([status, body.details[0].message], [400, 'must not take away more than 400, what is left of the commission']);
    for (const amountCents of [0, 1.5, '5', 100_000_000_000])
      assert.equal((await post(id, 'adjust', { amountCents, reason: 'x' })).status, 400);
  });

  test('a full refund takes an adjusted commission to nothing', async () => {
    const before = await balance();
    const order = await anOrder(service, { orderId: 'adjusted', affiliateId: ada.id });
    await post(order.commissions[0].id, 'adjust', { amountCents: -333, reason: 'x' });
    for (const [refundId, amountCents] of [
      ['adj-1', 3333],
      ['adj-2', 1],
    ] as const)
      await service.request('POST', '/v1/refunds', { body: { refundId, orderId: 'adjusted', amountCents } });
    await service.request('POST', '/v1/refunds', { body: { refundId: 'adj-3', orderId: 'adjusted' } });
    assert.deepEqual(await balance(), before);
  });

  test('made after a refund is for what was left, and later refunds take their share of that', async () => {
    const before = await balance();
    const order = await anOrder(service, { orderId: 'adjusted late', affiliateId: ada.id });
    await service.request('POST', '/v1/refunds', { body: { refundId: 'late-1', orderId: 'adjusted late', amountCents: 5000 } });
    await post(order.commissions[0].id, 'adjust', { amountCents: -100, reason: 'x' });
    await service.request('POST', '/v1/refunds', { body: { refundId: 'late-2', orderId: 'adjusted late', amountCents: 2500 } });
    // 1000 − 500 − 250, and of the deduction half of its 5000 is gone: −100 + 50.
    assert.equal((await balance()).pendingCents, before.pendingCents + 250 - 50);
  });

  test('a bonus is payable at once', async () => {
    const before = await balance();
    const body = { affiliateId: ada.id, amountCents: 5000, reason: 'Speaker fee' };
    const granted = await service.request('POST', `${service.program.path}/commissions`, { body });
    assert.deepEqual([granted.status, granted.body.kind, granted.body.status], [201, 'bonus', 'approved']);
    assert.equal((await balance()).availableCents, before.availableCents + 5000);
    const foreign = await anAffiliate(service, {}, service.foreign);
    const refused = await service.request('POST', `${service.program.path}/commissions`, { body: { ...body, affiliateId: foreign.id } });
    assert.equal(refused.status, 404);
  });
});

test('the list is filtered by affiliate, status, conversion and time', async () => {
  const list = async (query: string) => (await service.request('GET', `${service.program.path}/commissions?${query}`)).body;
  const held = await list(`affiliateId=${ada.id}&status=held`);
  assert.ok(held.total > 0 && held.commissions.every(({ status }: { status: string }) => status === 'held'));
  assert.equal((await list('from=2030-01-01T00:00:00Z')).total, 0);
  const [one] = held.commissions;
  assert.equal((await list(`conversionId=${one.conversionId}`)).commissions[0].id, one.id);
  assert.ok(one.orderId.startsWith('order-'));
});

test('afterwards every invariant holds', async () => {
  assert.deepEqual(
    (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0),
    [],
  );
});
