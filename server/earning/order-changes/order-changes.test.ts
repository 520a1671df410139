// Moving, increasing and cancelling orders through the real server, to the cent: commissions on both levels, the ledger,
// totals, budgets, coupons, holds and payments. Every invariant of `verify` holds afterwards.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { aCoupon, anAffiliate, anOrder, aProduct, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';
import { matureAll } from '../commissions/mature.ts';

let service: TestService;
let program: TestProgram;
let tea: string;
/** Ada and Bea each have an upline: Una and Vic. */
let [ada, una, bea, vic] = ['', '', '', ''];
let serial = 0;

before(async () => {
  service = await openTestService();
});
after(async () => {
  const findings = await checkInvariants(service.ctx).finally(() => service.close());
  assert.deepEqual(
    findings.filter(({ broken }) => broken.length > 0),
    [],
  );
});

beforeEach(async () => {
  program = await service.newProgram(`Changes ${Math.random()}`);
  una = (await anAffiliate(service, { status: 'active' }, program)).id;
  vic = (await anAffiliate(service, { status: 'active' }, program)).id;
  ada = (await anAffiliate(service, { status: 'active', parentAffiliateId: una }, program)).id;
  bea = (await anAffiliate(service, { status: 'active', parentAffiliateId: vic }, program)).id;
  tea = await aProduct(service, { name: 'Tea' }, program);
  await aRule(service, { rate: 10 }, program);
  await aRule(service, { rate: 2.5, level: 2 }, program);
});

const call = (method: string, path: string, body?: object) =>
  service.request(method, path, body ? { key: program.key, body } : { key: program.key });
const change = (id: string, action: string, body: object) => call('POST', `${program.path}/conversions/${id}/${action}`, body);
const move = (id: string, affiliateId: string, given: object = {}) => change(id, 'move', { affiliateId, note: 'Wrong code', ...given });
const increase = (id: string, amountCents: number, given: object = {}) => {
  serial += 1;
  return change(id, 'increase', { increaseId: `i-${serial}`, amountCents, ...given });
};
const cancel = (id: string, given: object = {}) => change(id, 'cancel', { note: 'Never shipped', ...given });
const refund = (orderId: string, given: object = {}) => {
  serial += 1;
  return call('POST', '/v1/refunds', { refundId: `r-${serial}`, orderId, ...given });
};
const order = (given: object = {}) => anOrder(service, { affiliateId: ada, amountCents: 10_000, ...given }, program);
const owed = async (id: string): Promise<[number, number]> => {
  const { body } = await call('GET', `${program.path}/affiliates/${id}/balance`);
  return [body.pendingCents, body.availableCents];
};
const pending = async (...ids: string[]) => Promise.all(ids.map(async (id) => (await owed(id))[0]));
const explain = async (id: string) => (await call('GET', `${program.path}/conversions/${id}/explanation`)).body;
// From the table: another test's open transaction delays the readers of the log.
const eventsOf = async (id: string): Promise<string[]> =>
  (await service.pool.query('select type from events where object_id = $1 order by object_sequence', [id])).rows.map(({ type }) => type);

async function payOut(): Promise<void> {
  service.clock.advance({ seconds: 40 * 86_400 });
  await matureAll(service.ctx);
  const dispatched = await call('POST', `${program.path}/payouts/dispatch`, { minimumPayoutCents: 0 });
  assert.equal(dispatched.status, 201, dispatched.text);
  for (const { id } of dispatched.body.payouts)
    assert.equal((await call('POST', `${program.path}/payouts/${id}/mark-paid`, {})).status, 200);
}

describe('a moved order', () => {
  test('is earned only by the new affiliate and their upline, and counts for them on its day', async () => {
    const { id, orderId } = await order();
    assert.deepEqual(await pending(ada, una, bea, vic), [1000, 250, 0, 0]);
    const { status, body, text } = await move(id, bea);
    assert.equal(status, 200, text);
    assert.deepEqual(await pending(ada, una, bea, vic), [0, 0, 1000, 250]);
    assert.deepEqual([body.conversion.affiliateId, body.conversion.commissionCents, body.conversion.status], [bea, 1250, 'pending']);
    assert.deepEqual(
      body.adjustments.map((one: { affiliateId: string; amountCents: number; effect: string }) => [
        one.affiliateId,
        one.amountCents,
        one.effect,
      ]),
      [
        [ada, -1000, 'reduced_pending'],
        [una, -250, 'reduced_pending'],
        [bea, 1000, 'earned'],
        [vic, 250, 'earned'],
      ],
    );
    const detail = (await call('GET', `${program.path}/affiliates/${bea}`)).body;
    assert.equal(detail.conversions, 1);
    assert.equal((await call('GET', `${program.path}/conversions?affiliateId=${ada}`)).body.total, 0);
    assert.equal((await refund(orderId, { amountCents: 5000 })).status, 201);
    assert.deepEqual(await pending(ada, una, bea, vic), [0, 0, 500, 125]);
  });

  test('keeps what was refunded before', async () => {
    const { id, orderId } = await order();
    await refund(orderId, { amountCents: 3333 });
    await move(id, bea);
    assert.deepEqual(await pending(ada, una, bea, vic), [0, 0, 667, 167]);
    await refund(orderId);
    assert.deepEqual(await pending(ada, una, bea, vic), [0, 0, 0, 0]);
  });

  test('becomes a debt of the affiliate who was already paid', async () => {
    const { id } = await order();
    await payOut();
    const { body } = await move(id, bea);
    assert.equal(body.adjustments[0].effect, 'carried_forward');
    assert.deepEqual(
      [await owed(ada), await owed(una)],
      [
        [0, -1000],
        [0, -250],
      ],
    );
    assert.deepEqual(await owed(bea), [0, 1000]);
    await order({ amountCents: 30_000 });
    await payOut();
    assert.deepEqual(
      [await owed(ada), await owed(bea)],
      [
        [0, 0],
        [0, 0],
      ],
    );
  });

  test('is calculated by the rules and the group of its time, with its tiers, budget and override', async () => {
    const rule = await aRule(service, { rate: 20, affiliateId: bea, budgetCents: 1500, budgetPeriod: 'month' }, program);
    const { id } = await order();
    service.clock.advance({ seconds: 60 });
    await call('PATCH', `${program.path}/commission-rules/${rule}`, { rate: 50 });
    await move(id, bea);
    assert.deepEqual(await pending(bea), [1500]);
    await move(id, ada);
    assert.deepEqual(await pending(ada, bea), [1000, 0]);
  });

  test('uses a coupon only for the affiliate who owns it', async () => {
    const { id: coupon } = await aCoupon(
      service,
      { affiliateId: ada, code: 'ADA', commissionType: 'percentage', commissionRate: 30 },
      program,
    );
    const { id } = await order({ affiliateId: undefined, couponCode: 'ADA' });
    const redeemed = async () => (await call('GET', `${program.path}/coupons/${coupon}`)).body.redemptions;
    assert.deepEqual([await pending(ada), await redeemed()], [[3000], 1]);
    await move(id, bea);
    assert.deepEqual([await pending(ada, bea), await redeemed()], [[0, 1000], 0]);
    await move(id, ada);
    assert.deepEqual([await pending(ada, bea), await redeemed()], [[3000, 0], 1]);
  });

  test('stays held by its dispute and manually', async () => {
    const { id, orderId, commissions } = await order();
    const report = (status: string) => call('POST', '/v1/disputes', { disputeId: `d-${orderId}`, orderId, status });
    await report('opened');
    await call('POST', `${program.path}/commissions/${commissions[0].id}/hold`, { note: 'Checking' });
    const { conversion } = (await move(id, bea)).body;
    assert.deepEqual(
      conversion.commissions.map((one: { status: string }) => one.status),
      ['held', 'held'],
    );
    await report('won');
    const after = (await call('GET', `${program.path}/conversions/${id}`)).body;
    assert.deepEqual(
      after.commissions.map((one: { status: string }) => one.status),
      ['held', 'pending'],
    );
  });

  test('is explained with who moved it, when and why, audited and announced', async () => {
    const { id } = await order();
    await move(id, bea);
    const { sentences, changes, totals } = await explain(id);
    assert.match(sentences.at(-1), /^Moved from .+ to .+ on \d{4}-\d\d-\d\d by .+: Wrong code$/);
    assert.deepEqual(
      changes.map((one: Record<string, unknown>) => [one.kind, one.fromAffiliateId, one.toAffiliateId, one.reversedCents]),
      [['moved', ada, bea, 1250]],
    );
    assert.equal(totals.netCents, 1250);
    assert.deepEqual(await eventsOf(id), ['conversion.created', 'conversion.moved']);
    const { auditEvents } = (await call('GET', `${program.path}/audit-events?subjectId=${id}`)).body;
    assert.equal(auditEvents[0].action, 'conversion.moved');
  });

  test('is previewed without any effect', async () => {
    const { id } = await order();
    const { body } = await move(id, bea, { dryRun: true });
    assert.deepEqual([body.id, body.conversion.affiliateId, body.adjustments.length], [null, bea, 4]);
    assert.deepEqual(await pending(ada, una, bea, vic), [1000, 250, 0, 0]);
    assert.deepEqual((await explain(id)).changes, []);
  });

  test('is rejected where nothing can be moved', async () => {
    const { id, orderId } = await order();
    const other = await anAffiliate(service, { status: 'active' }, await service.newProgram(`Foreign ${Math.random()}`));
    assert.deepEqual([(await move(id, ada)).status, (await move(id, other.id)).status], [422, 404]);
    for (const status of ['suspended', 'archived']) {
      const { id: stopped } = await anAffiliate(service, { status: 'active' }, program);
      assert.equal((await call('PATCH', `${program.path}/affiliates/${stopped}`, { status })).status, 200);
      const rejected = await move(id, stopped);
      assert.deepEqual([rejected.status, rejected.body.code], [400, 'affiliate_not_active']);
    }
    await refund(orderId);
    const rejected = await move(id, bea);
    assert.deepEqual([rejected.status, rejected.body.code, rejected.body.error], [422, 'nothing_to_move', 'This order is fully refunded.']);
  });
});

describe('an increased order', () => {
  test('earns on the added amount at its own terms, and is refunded as a whole', async () => {
    const { id, orderId } = await order();
    service.clock.advance({ seconds: 60 });
    await aRule(service, { rate: 50 }, program);
    const { status, body, text } = await increase(id, 2500);
    assert.equal(status, 200, text);
    assert.deepEqual([body.conversion.amountCents, body.conversion.commissionCents, body.adjustments.length], [12_500, 1563, 2]);
    assert.deepEqual(await pending(ada, una), [1250, 313]);
    await refund(orderId, { amountCents: 12_500 });
    assert.deepEqual(await pending(ada, una), [0, 0]);
    assert.deepEqual(await eventsOf(id).then((types) => types.slice(0, 2)), ['conversion.created', 'conversion.increased']);
  });

  test('pays an amount per order once, and its limits and cap for the whole order', async () => {
    await call('PATCH', program.path, { commissionCapPercent: 12 });
    await aRule(service, { type: 'flat', amountCents: 300, productId: tea }, program);
    const { id } = await order({ amountCents: 4000, items: [{ productId: tea, amountCents: 4000 }] });
    assert.deepEqual(await pending(ada, una), [300, 100]);
    await increase(id, 1000, { items: [{ productId: tea, amountCents: 1000 }] });
    assert.deepEqual(await pending(ada, una), [300, 125]);
    await increase(id, 10_000);
    assert.deepEqual(await pending(ada, una), [1300, 375]);
  });

  test('is recorded once, and a report of the original order still matches', async () => {
    const { id, orderId } = await order();
    const given = { increaseId: 'same', amountCents: 500 };
    assert.equal((await change(id, 'increase', given)).status, 200);
    const again = await change(id, 'increase', given);
    assert.deepEqual([again.status, again.body.code, again.body.conversionId], [409, 'increase_recorded', id]);
    for (const [amountCents, matchesOriginal] of [
      [10_000, true],
      [10_500, true],
      [10_001, false],
    ] as const) {
      const { body } = await call('POST', '/v1/conversions', { orderId, affiliateId: ada, amountCents });
      assert.equal(body.matchesOriginal, matchesOriginal, String(amountCents));
    }
  });

  test('is not increased once it is cancelled, or for an affiliate who is not active', async () => {
    const { id } = await order();
    const second = await order();
    await cancel(id);
    assert.equal((await increase(id, 5)).body.code, 'order_not_increasable');
    await call('PATCH', `${program.path}/affiliates/${ada}`, { status: 'suspended' });
    assert.equal((await increase(second.id, 5)).body.code, 'affiliate_not_active');
  });
});

describe('a cancelled order', () => {
  test('earns nothing, and says so once', async () => {
    const { id, orderId } = await order();
    await refund(orderId, { amountCents: 4000 });
    const { status, body, text } = await cancel(id);
    assert.equal(status, 200, text);
    assert.deepEqual([body.conversion.refundedCents, body.conversion.status], [10_000, 'reversed']);
    assert.deepEqual(await pending(ada, una), [0, 0]);
    const again = await cancel(id);
    assert.deepEqual([again.status, again.body.error, (await refund(orderId)).status], [422, 'This order is already cancelled.', 422]);
    assert.equal((await move(id, bea)).body.error, 'This order was cancelled.');
    assert.match((await explain(id)).sentences.at(-1), /^Cancelled, with \$60\.00 that were not refunded yet on .+: Never shipped$/);
    assert.ok((await eventsOf(id)).includes('conversion.cancelled'));
  });

  test('is not cancelled after a full refund', async () => {
    const { id, orderId } = await order();
    await refund(orderId);
    const { status, body } = await cancel(id);
    assert.deepEqual([status, body.code, body.error], [422, 'nothing_to_cancel', 'This order is already fully refunded.']);
  });

  test('stays cancelled when a dispute is won later', async () => {
    const { id, orderId } = await order();
    const report = (status: string) => call('POST', '/v1/disputes', { disputeId: `d-${orderId}`, orderId, status, amountCents: 4000 });
    await report('lost');
    await cancel(id);
    for (const status of ['won', 'lost', 'won']) {
      await report(status);
      assert.deepEqual(await pending(ada, una), [0, 0], status);
    }
  });
});
