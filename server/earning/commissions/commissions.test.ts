// Commissions after they were recorded: maturing, holds, adjustments, bonuses, their history and the list.
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
  test('happens exactly when the hold period ends, once, with an event', async () => {
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
      matured.history.map(({ fromStatus, toStatus, actor }: Record<string, { kind: string }>) => [fromStatus, toStatus, actor?.kind]),
      [
        [null, 'pending', 'api_key'],
        ['pending', 'approved', 'schedule'],
      ],
    );
    const after = await balance();
    assert.deepEqual([after.pendingCents, after.availableCents], [before.pendingCents - 1000, before.availableCents + 1000]);
  });

  test('of one commission leaves others pending until their own time', async () => {
    const early = await earn({ occurredAt: new Date(service.clock.now().getTime() - 29 * 86_400_000).toISOString() });
    const late = await earn();
    service.clock.advance({ days: 2 });
    await matureAll(service.ctx);
    assert.deepEqual([(await get(early.id)).status, (await get(late.id)).status], ['approved', 'pending']);
  });

  test('uses the hold period of the program or group at the time of the order; later changes have no effect', async () => {
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
  test('a held commission does not mature; released after its hold period, it is payable immediately', async () => {
    const { id } = await earn();
    assert.equal((await post(id, 'hold', { note: 'Returned parcel?' })).body.status, 'held');
    const { reason, note, holds } = await get(id);
    assert.deepEqual([reason, note, holds[0].note], ['manual_hold', 'Returned parcel?', 'Returned parcel?']);
    assert.equal((await post(id, 'release', {})).body.status, 'pending');
    await post(id, 'hold', { note: 'again' });
    service.clock.advance({ days: 31 });
    await matureAll(service.ctx);
    assert.equal((await get(id)).status, 'held');
    assert.equal((await post(id, 'release', {})).body.status, 'approved');
  });

  test('holding an approved commission moves its amount to pending, and releasing it moves it back', async () => {
    const { id } = await earn();
    service.clock.advance({ days: 31 });
    await matureAll(service.ctx);
    const before = await balance();
    await post(id, 'hold', { note: 'x' });
    assert.equal((await balance()).availableCents, before.availableCents - 1000);
    await post(id, 'release', {});
    assert.deepEqual(await balance(), before);
  });

  test('without a hold to open or close is 422; without a note 400', async () => {
    const { id } = await earn();
    assert.equal((await post(id, 'release', {})).status, 422);
    await post(id, 'hold', { note: 'x' });
    assert.deepEqual([(await post(id, 'hold', { note: 'x' })).status, (await post(id, 'hold', {})).status], [422, 400]);
  });

  test('twenty simultaneous holds create one', async () => {
    const { id } = await earn();
    const responses = await Promise.all(Array.from({ length: 20 }, () => post(id, 'hold', { note: 'x' })));
    assert.equal(responses.filter(({ status }) => status === 200).length, 1);
    assert.equal((await get(id)).history.length, 2);
  });
});

describe('adjusting', () => {
  test('adds a commission with a note and never changes the original', async () => {
    const { id } = await earn();
    const before = await balance();
    const { status, body } = await post(id, 'adjust', { amountCents: -150, note: 'Shipping was included' });
    assert.equal(status, 201);
    assert.deepEqual(
      [body.kind, body.amountCents, body.status, body.adjustsCommissionId, body.note],
      ['adjustment', -150, 'pending', id, 'Shipping was included'],
    );
    assert.deepEqual([(await get(id)).amountCents, (await get(id)).owedCents], [1000, 1000]);
    assert.equal((await balance()).pendingCents, before.pendingCents - 150);
    const up = await post(id, 'adjust', { amountCents: 75, note: 'Half of it' });
    assert.equal(up.body.maturesAt, (await get(id)).maturesAt);
    service.clock.advance({ days: 31 });
    await matureAll(service.ctx);
    const after = await balance();
    assert.equal(after.availableCents - before.availableCents >= 925, true);
  });

  test('never deducts more than the rest of the commission', async () => {
    const { id } = await earn();
    assert.equal((await post(id, 'adjust', { amountCents: -1001, note: 'x' })).status, 400);
    assert.equal((await post(id, 'adjust', { amountCents: -600, note: 'x' })).status, 201);
    const { status, body } = await post(id, 'adjust', { amountCents: -401, note: 'x' });
    assert.deepEqual([status, body.details[0].message], [400, 'must not deduct more than 400, the remaining amount of the commission']);
    for (const amountCents of [0, 1.5, '5', 100_000_000_000])
      assert.equal((await post(id, 'adjust', { amountCents, note: 'x' })).status, 400);
  });

  test('a full refund reverses the commission and its adjustments', async () => {
    const before = await balance();
    const order = await anOrder(service, { orderId: 'adjusted', affiliateId: ada.id });
    await post(order.commissions[0].id, 'adjust', { amountCents: -333, note: 'x' });
    for (const [refundId, amountCents] of [
      ['adj-1', 3333],
      ['adj-2', 1],
    ] as const)
      await service.request('POST', '/v1/refunds', { body: { refundId, orderId: 'adjusted', amountCents } });
    await service.request('POST', '/v1/refunds', { body: { refundId: 'adj-3', orderId: 'adjusted' } });
    assert.deepEqual(await balance(), before);
  });

  test('made after a refund applies to the rest, and later refunds reverse their share of it', async () => {
    const before = await balance();
    const order = await anOrder(service, { orderId: 'adjusted late', affiliateId: ada.id });
    await service.request('POST', '/v1/refunds', { body: { refundId: 'late-1', orderId: 'adjusted late', amountCents: 5000 } });
    await post(order.commissions[0].id, 'adjust', { amountCents: -100, note: 'x' });
    await service.request('POST', '/v1/refunds', { body: { refundId: 'late-2', orderId: 'adjusted late', amountCents: 2500 } });
    // 1000 − 500 − 250, and half of the deduction's base of 5000 was refunded: −100 + 50.
    assert.equal((await balance()).pendingCents, before.pendingCents + 250 - 50);
  });

  test('a bonus is payable immediately', async () => {
    const before = await balance();
    const body = { affiliateId: ada.id, amountCents: 5000, note: 'Speaker fee' };
    const granted = await service.request('POST', `${service.program.path}/commissions`, { body });
    assert.deepEqual([granted.status, granted.body.kind, granted.body.status], [201, 'bonus', 'approved']);
    assert.equal((await balance()).availableCents, before.availableCents + 5000);
    const foreign = await anAffiliate(service, {}, service.foreign);
    const rejected = await service.request('POST', `${service.program.path}/commissions`, { body: { ...body, affiliateId: foreign.id } });
    assert.equal(rejected.status, 404);
  });

  test('of an adjustment is rejected, naming the original; of a rejected commission there is nothing to adjust', async () => {
    const { id } = await earn();
    const { body } = await post(id, 'adjust', { amountCents: 10, note: 'x' });
    const again = await post(body.id, 'adjust', { amountCents: 10, note: 'x' });
    assert.deepEqual([again.status, again.body.code], [400, 'adjustment_not_adjustable']);
  });

  test('is recorded with the actor that made it', async () => {
    const { id } = await earn();
    const { body } = await post(id, 'adjust', { amountCents: 10, note: 'x' });
    assert.deepEqual((await get(body.id)).history[0].actor.kind, 'api_key');
  });
});

describe('the list', () => {
  const list = async (query: string) => (await service.request('GET', `${service.program.path}/commissions?${query}`)).body;
  const ids = ({ commissions }: { commissions: { id: string }[] }) => commissions.map(({ id }) => id);

  test('is filtered by affiliate, status, kind, conversion, rule and time', async () => {
    const held = await list(`affiliateId=${ada.id}&status=held`);
    assert.ok(held.total > 0 && held.commissions.every(({ status }: { status: string }) => status === 'held'));
    const both = await list(`affiliateId=${ada.id}&status=held&status=pending`);
    assert.equal(both.total, held.total + (await list(`affiliateId=${ada.id}&status=pending`)).total);
    assert.equal((await list('createdFrom=2030-01-01T00:00:00Z')).total, 0);
    assert.equal((await list('maturesFrom=2035-01-01T00:00:00Z')).total, 0);
    const [one] = held.commissions;
    assert.deepEqual(ids(await list(`conversionId=${one.conversionId}`)), [one.id]);
    assert.ok(one.orderId.startsWith('order-'));
    const bonuses = await list('kind=bonus&expand=rule');
    assert.deepEqual([bonuses.total, bonuses.commissions[0].ruleId, bonuses.commissions[0].rule], [1, null, undefined]);
    assert.equal((await list(`ruleId=${one.ruleId}`)).total + 1, (await list('kind=order&kind=bonus')).total);
    for (const query of ['status=gone', 'from=2030-01-01T00:00:00Z', 'sort=rate', 'expand=order', 'kind=level2'])
      assert.equal((await service.request('GET', `${service.program.path}/commissions?${query}`)).status, 400, query);
  });

  test('is sorted by amount, and expands the affiliate and the rule', async () => {
    const { commissions } = await list('sort=-amountCents&limit=2&expand=affiliate,rule');
    assert.ok(commissions[0].amountCents >= commissions[1].amountCents);
    const earned = commissions.find(({ ruleId }: { ruleId: string | null }) => ruleId !== null);
    assert.deepEqual([earned.affiliate.id, earned.rule.id, earned.type, earned.rate], [ada.id, earned.ruleId, 'percentage', 10]);
    assert.equal(earned.flatAmountCents, null);
  });
});

test('afterwards every invariant holds', async () => {
  assert.deepEqual(
    (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0),
    [],
  );
});
