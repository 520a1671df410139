// Holds through the real server: each has a cause, only that cause ends it, and amounts owed back are never held.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';
import { applyResponses } from '../../paying/payouts/apply-responses.ts';
import { matureAll } from './mature.ts';

let service: TestService;
let serial = 0;

before(async () => {
  service = await openTestService();
  await aRule(service, { rate: 10 });
});
after(() => service.close());

afterEach(async () => {
  const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
  assert.deepEqual(broken, []);
});

/** An affiliate with one order of 10000, which earns 1000. */
async function earn(given: Record<string, unknown> = {}) {
  serial += 1;
  const orderId = `hold-${serial}`;
  const affiliate = await anAffiliate(service, { status: 'active' });
  const order = await anOrder(service, { orderId, affiliateId: affiliate.id, ...given });
  return { orderId, affiliate, id: order.commissions[0].id as string, conversionId: order.id as string };
}

const dispute = (disputeId: string, orderId: string, status: string, given: object = {}) =>
  service.request('POST', '/v1/disputes', { body: { disputeId: `${orderId}-${disputeId}`, orderId, status, ...given } });
const refund = (orderId: string, given: object = {}) => {
  serial += 1;
  return service.request('POST', '/v1/refunds', { body: { refundId: `hold-refund-${serial}`, orderId, ...given } });
};
const act = (id: string, action: string, body: object = {}) =>
  service.request('POST', `${service.program.path}/commissions/${id}/${action}`, { body });
const get = async (id: string) => (await service.request('GET', `${service.program.path}/commissions/${id}`)).body;
const statusOf = async (id: string) => (await get(id)).status;
const payout = (id: string, action: string, body: object = {}) =>
  service.request('POST', `${service.program.path}/payouts/${id}/${action}`, { body });

async function mature() {
  service.clock.advance({ days: 31 });
  await matureAll(service.ctx);
}

/** Dispatches everything that is due to the affiliate, and returns the payout. */
async function dispatch(affiliateId: string) {
  const { status, body } = await service.request('POST', `${service.program.path}/payouts/dispatch`, {
    body: { affiliateIds: [affiliateId], minimumPayoutCents: 0 },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body.payouts[0] as { id: string; amountCents: number };
}

describe('a hold ends only with its own cause', () => {
  test('a dispute that is won leaves a fraud alert’s hold', async () => {
    const ada = await anAffiliate(service, { status: 'active' });
    const order = await anOrder(service, { orderId: 'self', affiliateId: ada.id, customer: { email: ada.email } });
    await dispute('a', 'self', 'opened');
    await dispute('a', 'self', 'won');
    assert.equal(await statusOf(order.commissions[0].id), 'held');
    const { body } = await service.request('GET', `${service.program.path}/fraud-events?conversionId=${order.id}`);
    await service.request('POST', `${service.program.path}/fraud-events/${body.fraudEvents[0].id}/resolve`, {
      body: { resolution: 'legitimate' },
    });
    assert.equal(await statusOf(order.commissions[0].id), 'pending');
  });

  test('a lost dispute over a part leaves a manual hold', async () => {
    const { id, orderId } = await earn();
    await act(id, 'hold', { note: 'checking' });
    await dispute('a', orderId, 'opened', { amountCents: 4000 });
    await dispute('a', orderId, 'lost');
    assert.equal(await statusOf(id), 'held');
    assert.equal((await act(id, 'release')).body.status, 'pending');
  });

  test('one of two disputes that is won leaves the other’s hold', async () => {
    const { id, orderId } = await earn();
    await dispute('a', orderId, 'opened');
    await dispute('b', orderId, 'opened');
    await dispute('a', orderId, 'won');
    assert.equal(await statusOf(id), 'held');
    await dispute('b', orderId, 'won');
    assert.equal(await statusOf(id), 'pending');
  });

  test('a fraud alert found legitimate leaves an open dispute’s hold', async () => {
    const ada = await anAffiliate(service, { status: 'active' });
    const order = await anOrder(service, { orderId: 'self 2', affiliateId: ada.id, customer: { email: ada.email } });
    await dispute('a', 'self 2', 'opened');
    const { body } = await service.request('GET', `${service.program.path}/fraud-events?conversionId=${order.id}`);
    await service.request('POST', `${service.program.path}/fraud-events/${body.fraudEvents[0].id}/resolve`, {
      body: { resolution: 'legitimate' },
    });
    assert.equal(await statusOf(order.commissions[0].id), 'held');
    await dispute('a', 'self 2', 'won');
    assert.equal(await statusOf(order.commissions[0].id), 'pending');
  });

  test('a release ends the manual hold only, and is 400 with the other cause while one is open', async () => {
    const { id, orderId } = await earn();
    await dispute('a', orderId, 'opened');
    const rejected = await act(id, 'release');
    assert.deepEqual([rejected.status, rejected.body.code], [400, 'held_by_other_cause']);
    assert.deepEqual([(await act(id, 'hold', { note: 'x' })).status, (await act(id, 'hold', { note: 'x' })).status], [200, 422]);
    assert.deepEqual(
      (await get(id)).holds.map(({ cause }: { cause: string }) => cause),
      ['dispute', 'manual'],
    );
    const released = await act(id, 'release');
    assert.deepEqual([released.status, released.body.status], [200, 'held']);
    await dispute('a', orderId, 'won');
    assert.deepEqual([await statusOf(id), (await get(id)).holds], ['pending', []]);
    assert.equal((await act(id, 'release')).status, 422);
  });
});

describe('an amount that is owed back is never held', () => {
  for (const [what, hold] of [
    ['a dispute', async ({ orderId }: { orderId: string }) => void (await dispute('a', orderId, 'opened'))],
    ['a person', async ({ id }: { id: string }) => void (await act(id, 'hold', { note: 'x' }))],
  ] as const)
    test(`held by ${what} while its payout is in transit, a refunded commission is netted by the next payout`, async () => {
      const earned = await earn();
      await mature();
      const { id: payoutId } = await dispatch(earned.affiliate.id);
      await refund(earned.orderId, { amountCents: 5000 });
      await hold(earned);
      assert.equal(await statusOf(earned.id), 'approved');
      await payout(payoutId, 'mark-paid');
      await anOrder(service, { affiliateId: earned.affiliate.id, amountCents: 20_000 });
      await mature();
      assert.equal((await dispatch(earned.affiliate.id)).amountCents, 1500);
    });

  test('a deduction from a held commission stays pending', async () => {
    const { id } = await earn();
    await act(id, 'hold', { note: 'x' });
    const { body } = await act(id, 'adjust', { amountCents: -150, note: 'Shipping' });
    assert.equal(body.status, 'pending');
  });
});

describe('an open cause holds', () => {
  test('the amount of a cancelled or returned payout, until it is closed', async () => {
    for (const end of ['cancel', 'return'] as const) {
      const { id, orderId, affiliate } = await earn();
      await mature();
      const { id: payoutId } = await dispatch(affiliate.id);
      await dispute('a', orderId, 'opened');
      assert.equal(await statusOf(id), 'approved');
      if (end === 'cancel') await payout(payoutId, 'cancel', { confirmNotPaid: true });
      else await returned(payoutId);
      assert.equal(await statusOf(id), 'held', end);
      const { body } = await service.request('GET', `${service.program.path}/affiliates/${affiliate.id}/balance`);
      assert.deepEqual([body.pendingCents, body.availableCents], [1000, 0]);
      await dispute('a', orderId, 'won');
      assert.equal(await statusOf(id), 'approved');
    }
  });

  test('nothing of a payment that arrives after its payout was cancelled', async () => {
    const { id, orderId, affiliate } = await earn();
    await mature();
    const { id: payoutId } = await dispatch(affiliate.id);
    await dispute('a', orderId, 'opened');
    await payout(payoutId, 'cancel', { confirmNotPaid: true });
    await applyResponses(service.ctx, service.program.programId, [{ payoutId, response: { outcome: 'paid', reference: 'r' } }], {
      kind: 'provider',
      id: 'test',
    });
    assert.equal(await statusOf(id), 'paid');
    await dispute('a', orderId, 'won');
    assert.equal(await statusOf(id), 'paid');
  });

  test('an adjustment of a held commission, until that is released', async () => {
    const { id, orderId } = await earn();
    await dispute('a', orderId, 'opened');
    const { body: added } = await act(id, 'adjust', { amountCents: 200, note: 'Goodwill' });
    assert.equal(added.status, 'held');
    await act(id, 'hold', { note: 'x' });
    await dispute('a', orderId, 'won');
    assert.deepEqual([await statusOf(id), await statusOf(added.id)], ['held', 'held']);
    assert.equal((await act(added.id, 'release')).status, 400);
    await act(id, 'release');
    assert.deepEqual([await statusOf(id), await statusOf(added.id)], ['pending', 'pending']);
  });

  test('an adjustment of a paid commission of a disputed order', async () => {
    const { id, orderId, affiliate } = await earn();
    await mature();
    await payout((await dispatch(affiliate.id)).id, 'mark-paid');
    await dispute('a', orderId, 'opened');
    assert.equal(await statusOf(id), 'paid');
    assert.equal((await act(id, 'adjust', { amountCents: 200, note: 'Goodwill' })).body.status, 'held');
  });

  test('an amount that another won dispute restores, even of a paid commission', async () => {
    const { id, orderId, affiliate } = await earn();
    await dispute('a', orderId, 'lost', { amountCents: 4000 });
    await mature();
    await payout((await dispatch(affiliate.id)).id, 'mark-paid');
    await dispute('b', orderId, 'opened');
    assert.equal(await statusOf(id), 'paid');
    await dispute('a', orderId, 'won');
    assert.deepEqual([await statusOf(id), (await get(id)).owedCents], ['held', 400]);
    await dispute('b', orderId, 'won');
    assert.equal(await statusOf(id), 'paid');
    assert.equal((await dispatch(affiliate.id)).amountCents, 400);
  });
});

async function returned(payoutId: string) {
  const response = { outcome: 'returned' as const, reference: `r-${payoutId}`, reason: 'account closed' };
  await applyResponses(service.ctx, service.program.programId, [{ payoutId, response }], { kind: 'provider', id: 'test' });
}
