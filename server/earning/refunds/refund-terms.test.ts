// What a refund reverses by the terms under which a commission was earned: free orders and lines, flat amounts, disputed parts.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aProduct, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';

let service: TestService;
let ada: { id: string };
let flo: { id: string };
let serial = 0;

before(async () => {
  service = await openTestService();
  await aRule(service, { rate: 10 });
  ada = await anAffiliate(service, { status: 'active' });
  flo = await anAffiliate(service, { status: 'active' });
  await aRule(service, { type: 'flat', amountCents: 500, affiliateId: flo.id });
  await set({ commissionCapPercent: null });
});
after(() => service.close());

afterEach(async () => {
  const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
  assert.deepEqual(broken, []);
});

const set = async (body: object) => assert.equal((await service.request('PATCH', service.program.path, { body })).status, 200);
const refund = (orderId: string, given: object = {}) => {
  serial += 1;
  return service.request('POST', '/v1/refunds', { body: { refundId: `term-${serial}`, orderId, ...given } });
};
const dispute = (orderId: string, status: string, given: object = {}) =>
  service.request('POST', '/v1/disputes', { body: { disputeId: `d-${orderId}`, orderId, status, ...given } });
const adjust = (id: string, amountCents: number) =>
  service.request('POST', `${service.program.path}/commissions/${id}/adjust`, { body: { amountCents, note: 'x' } });
const read = async (id: string) => (await service.request('GET', `${service.program.path}/conversions/${id}`)).body;
const owed = async (id: string) => {
  const { body } = await service.request('GET', `${service.program.path}/affiliates/${id}/balance`);
  return body.pendingCents + body.availableCents;
};

describe('a dispute over a part of an order', () => {
  test('lost without an amount reverses the amount that it was opened for', async () => {
    const { id } = await anOrder(service, { orderId: 'part', affiliateId: ada.id });
    await dispute('part', 'opened', { amountCents: 4000 });
    const { body } = await dispute('part', 'lost');
    assert.deepEqual([body.amountCents, body.adjustments[0].amountCents], [4000, -400]);
    assert.equal((await read(id)).refundedCents, 4000);
  });

  test('lost for another amount reverses that amount and returns it', async () => {
    const { id } = await anOrder(service, { orderId: 'other part', affiliateId: ada.id });
    await dispute('other part', 'opened', { amountCents: 4000 });
    const { body } = await dispute('other part', 'lost', { amountCents: 2500 });
    assert.deepEqual([body.amountCents, body.adjustments[0].amountCents], [2500, -250]);
    assert.equal((await read(id)).refundedCents, 2500);
  });

  test('lost after refunds reverses at most the remaining amount', async () => {
    const { id } = await anOrder(service, { orderId: 'less', affiliateId: ada.id });
    await dispute('less', 'opened', { amountCents: 4000 });
    await refund('less', { amountCents: 9000 });
    assert.equal((await dispute('less', 'lost')).body.adjustments[0].amountCents, -100);
    assert.equal((await read(id)).status, 'reversed');
  });
});

describe('an order of $0 that paid a flat commission', () => {
  const free = (orderId: string) => anOrder(service, { orderId, affiliateId: flo.id, amountCents: 0 });

  test('is fully refunded once by a refund without an amount', async () => {
    const before = await owed(flo.id);
    const { id } = await free('free');
    const { status, body } = await refund('free');
    assert.deepEqual([status, body.amountCents, body.remainingCents, body.adjustments[0].amountCents], [201, 0, 0, -500]);
    assert.deepEqual([(await read(id)).status, await owed(flo.id)], ['reversed', before]);
    assert.equal((await refund('free')).status, 422);
    assert.equal((await service.request('GET', `${service.program.path}/refunds?orderId=free`)).body.refunds[0].adjustments.length, 1);
  });

  test('is reversed by a lost dispute, and restored when the dispute is won later', async () => {
    const { id } = await free('free dispute');
    await dispute('free dispute', 'opened');
    assert.equal((await read(id)).status, 'held');
    assert.equal((await dispute('free dispute', 'lost')).body.adjustments[0].amountCents, -500);
    assert.equal((await read(id)).status, 'reversed');
    await dispute('free dispute', 'won');
    assert.equal((await read(id)).status, 'pending');
  });

  test('is not left on hold when its dispute is lost after a refund', async () => {
    const { id } = await free('free gone');
    await dispute('free gone', 'opened');
    await refund('free gone');
    await dispute('free gone', 'lost');
    assert.equal((await read(id)).status, 'reversed');
  });

  test('is adjusted, refunded and adjusted again without changing later adjustments', async () => {
    const before = await owed(flo.id);
    const order = await free('free adjusted');
    await adjust(order.commissions[0].id, -100);
    await refund('free adjusted');
    assert.equal(await owed(flo.id), before);
  });
});

test('a free line among paid ones is returned with its item, or with the whole order', async () => {
  const gift = await aProduct(service, { name: 'Gift' });
  await aRule(service, { type: 'flat', amountCents: 50, per: 'unit', productId: gift });
  const items = [
    { productId: gift, quantity: 2, amountCents: 0 },
    { name: 'Mug', amountCents: 2000 },
  ];
  const before = await owed(ada.id);
  await anOrder(service, { orderId: 'gift 1', affiliateId: ada.id, amountCents: 2000, items });
  assert.equal((await refund('gift 1', { items: [{ productId: gift }] })).body.adjustments[0].amountCents, -100);
  assert.equal(await owed(ada.id), before + 200);
  await refund('gift 1');
  assert.equal(await owed(ada.id), before);
  for (const [orderId, parts] of [
    ['gift 2', [undefined]],
    ['gift 3', [700, 1300]],
  ] as const) {
    await anOrder(service, { orderId, affiliateId: ada.id, amountCents: 2000, items });
    for (const amountCents of parts) assert.equal((await refund(orderId, { amountCents })).status, 201);
    assert.equal(await owed(ada.id), before, orderId);
    assert.equal((await refund(orderId)).status, 422);
  }
});

describe('the terms for refunds of flat amounts', () => {
  test('are those of the time when a commission was earned', async () => {
    const before = await owed(flo.id);
    await anOrder(service, { orderId: 'frozen', affiliateId: flo.id, amountCents: 10_000 });
    await refund('frozen', { amountCents: 5000 });
    await set({ flatRefunds: 'keep' });
    await refund('frozen', { amountCents: 1 });
    assert.equal(await owed(flo.id), before + 250);
    await anOrder(service, { orderId: 'flat', affiliateId: flo.id, amountCents: 10_000 });
    await set({ flatRefunds: 'pro_rata' });
    await refund('flat', { amountCents: 5000 });
    assert.equal(await owed(flo.id), before + 750);
  });

  test('apply to adjustments too: a refund never increases the amount owed', async () => {
    await set({ flatRefunds: 'keep' });
    const before = await owed(flo.id);
    const order = await anOrder(service, { orderId: 'flat adjusted', affiliateId: flo.id, amountCents: 10_000 });
    await adjust(order.commissions[0].id, -200);
    await refund('flat adjusted', { amountCents: 5000 });
    assert.equal(await owed(flo.id), before + 300);
    await refund('flat adjusted');
    assert.equal(await owed(flo.id), before);
    await set({ flatRefunds: 'pro_rata' });
  });
});

test('`effect` is `restored` for an amount that was restored', async () => {
  await anOrder(service, { orderId: 'effect', affiliateId: ada.id });
  assert.equal((await dispute('effect', 'lost')).body.adjustments[0].effect, 'reduced_pending');
  const { adjustments } = (await dispute('effect', 'won')).body;
  assert.deepEqual([adjustments[0].amountCents, adjustments[0].effect], [1000, 'restored']);
  const { body } = await service.request('GET', `${service.program.path}/refunds?orderId=effect`);
  assert.deepEqual(
    body.refunds[0].adjustments.map(({ effect }: { effect: string }) => effect),
    ['reduced_pending', 'restored'],
  );
});
