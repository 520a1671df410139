// Dispatches through the API: which affiliates are paid, which are skipped, and the ledger after each step.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';

let service: TestService;
let program: TestProgram;
let ada: { id: string; email: string };

before(async () => {
  service = await openTestService();
});
after(() => service.close());
beforeEach(async () => {
  program = await service.newProgram(`Payer ${Math.random()}`);
  await aRule(service, { rate: 10 }, program);
  ada = await anAffiliate(service, { status: 'active' }, program);
});
afterEach(async () => {
  const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
  assert.deepEqual(broken, []);
});

const send = (method: string, path: string, body?: object) =>
  service.request(method, `${program.path}/${path}`, { key: program.key, body });
const dispatch = (body: object = {}) => send('POST', 'payouts/dispatch', body);
const order = (amountCents: number, affiliateId = ada.id, given: { orderId?: string } = {}) =>
  anOrder(service, { affiliateId, amountCents, ...given }, program);
const refund = async (orderId: string, amountCents: number) => {
  const { status, text } = await service.request('POST', '/v1/refunds', {
    key: program.key,
    body: { refundId: `re ${orderId} ${amountCents}`, orderId, amountCents },
  });
  assert.equal(status, 201, text);
};
const mature = () => service.clock.advance({ days: 31 });
const balance = async (affiliateId = ada.id) => {
  const { body } = await send('GET', `affiliates/${affiliateId}/balance`);
  return [body.pendingCents, body.availableCents, body.inTransitCents, body.paidCents];
};
const commissions = async () => {
  const { body } = await send('GET', `commissions?affiliateId=${ada.id}`);
  return body.commissions.map(({ status, owedCents }: { status: string; owedCents: number }) => `${status} ${owedCents}`).sort();
};

describe('a dispatch', () => {
  test('with nothing matured returns 422 and changes nothing', async () => {
    await order(100_000);
    const { status, body } = await dispatch();
    assert.deepEqual([status, body.code], [422, 'nothing_due']);
    assert.deepEqual(await balance(), [10_000, 0, 0, 0]);
    assert.equal((await send('GET', 'payouts/batches')).body.total, 0);
  });

  test('pays everything that has matured, even before the schedule has updated it; a second dispatch returns 422', async () => {
    await order(100_000);
    await order(25_000);
    mature();
    await order(70_000);
    const due = await send('GET', 'payouts/due');
    assert.deepEqual(
      [due.body.totalCents, due.body.due, due.body.skipped],
      [12_500, [{ affiliateId: ada.id, amountCents: 12_500, commissionCount: 2, exchange: null, exclusion: null }], []],
    );
    const { status, body, text } = await dispatch({ expectedTotalCents: 12_500, note: 'March' });
    assert.equal(status, 201, text);
    assert.deepEqual(
      [body.batch.status, body.batch.totalCents, body.batch.payoutCount, body.batch.providerType, body.batch.providerId, body.batch.note],
      ['processing', 12_500, 1, 'manual', null, 'March'],
    );
    assert.deepEqual([body.payouts.length, body.payouts[0].amountCents, body.payouts[0].status], [1, 12_500, 'queued']);
    assert.deepEqual(await balance(), [7000, 0, 12_500, 0]);
    assert.equal((await dispatch()).status, 422);
    const paid = await send('POST', `payouts/${body.payouts[0].id}/mark-paid`, { reference: 'wire 7' });
    assert.deepEqual([paid.status, paid.body.status, paid.body.reference], [200, 'paid', 'wire 7']);
    assert.deepEqual(await balance(), [7000, 0, 0, 12_500]);
    assert.deepEqual(await commissions(), ['paid 0', 'paid 0', 'pending 7000']);
    assert.equal((await send('GET', `payouts/batches/${body.batch.id}`)).body.status, 'completed');
    assert.equal((await send('POST', `payouts/${body.payouts[0].id}/mark-paid`, {})).status, 422);
    const cancelled = await send('POST', `payouts/${body.payouts[0].id}/cancel`, {});
    assert.deepEqual([cancelled.status, cancelled.body.code], [400, 'payout_ended']);
    assert.equal((await dispatch()).status, 422);
  });

  test('as a dry run returns the same and changes nothing; a wrong total is 400', async () => {
    await order(100_000);
    mature();
    const { status, body } = await dispatch({ dryRun: true });
    assert.deepEqual(
      [status, body.batch.id, body.batch.totalCents, body.payouts[0].amountCents, body.payouts[0].id],
      [200, null, 10_000, 10_000, null],
    );
    const wrong = await dispatch({ expectedTotalCents: 9999 });
    assert.deepEqual(
      [wrong.status, wrong.body.details],
      [400, [{ path: ['expectedTotalCents'], message: 'must equal the amount due (10000)' }]],
    );
    assert.deepEqual((await send('GET', 'payouts')).body.total, 0);
    assert.equal((await send('GET', `payouts/due`)).body.totalCents, 10_000);
  });

  test('skips affiliates below the minimum, inactive or in debt, with the reason', async () => {
    const [small, inactive, indebted] = [
      await anAffiliate(service, { status: 'active' }, program),
      await anAffiliate(service, { status: 'active' }, program),
      await anAffiliate(service, { status: 'active' }, program),
    ];
    await order(100_000);
    await order(1000, small.id);
    await order(100_000, inactive.id);
    await order(90_000, indebted.id, { orderId: 'd-1' });
    mature();
    const first = await dispatch({ affiliateIds: [indebted.id] });
    await send('POST', `payouts/${first.body.payouts[0].id}/mark-paid`, {});
    await refund('d-1', 90_000);
    await send('PATCH', `affiliates/${inactive.id}`, { status: 'suspended' });
    const { status, body } = await dispatch();
    assert.equal(status, 201);
    assert.deepEqual(
      body.payouts.map(({ affiliateId }: { affiliateId: string }) => affiliateId),
      [ada.id],
    );
    const reasons = Object.fromEntries(
      body.skipped.map((one: { affiliateId: string; reason: string; amountCents: number }) => [
        one.affiliateId,
        [one.reason, one.amountCents],
      ]),
    );
    assert.deepEqual(reasons, {
      [small.id]: ['below_minimum', 100],
      [inactive.id]: ['affiliate_not_active', 10_000],
      [indebted.id]: ['negative_balance', -9000],
    });
    assert.deepEqual(await balance(indebted.id), [0, -9000, 0, 9000]);
    const lowered = await dispatch({ minimumPayoutCents: 100 });
    assert.deepEqual([lowered.status, lowered.body.batch.totalCents], [201, 100]);
  });

  test('nets a refund after the payout in the next batch; no payout is negative or empty', async () => {
    await order(100_000, ada.id, { orderId: 'o-1' });
    mature();
    const first = await dispatch();
    await send('POST', `payouts/${first.body.payouts[0].id}/mark-paid`, {});
    await refund('o-1', 30_000);
    assert.deepEqual(await balance(), [0, -3000, 0, 10_000]);
    assert.equal((await dispatch()).status, 422);
    await order(30_000, ada.id, { orderId: 'o-2' });
    mature();
    assert.equal((await dispatch({ minimumPayoutCents: 0 })).status, 422, 'debt and earnings are equal');
    await order(80_000, ada.id, { orderId: 'o-3' });
    mature();
    const second = await dispatch();
    assert.deepEqual([second.status, second.body.batch.totalCents], [201, 8000]);
    const detail = await send('GET', `payouts/${second.body.payouts[0].id}`);
    assert.deepEqual(
      detail.body.lines.map(({ amountCents }: { amountCents: number }) => amountCents).sort((a: number, b: number) => a - b),
      [-3000, 3000, 8000],
    );
    await send('POST', `payouts/${second.body.payouts[0].id}/mark-paid`, {});
    assert.deepEqual(await balance(), [0, 0, 0, 18_000]);
  });

  test('whose payout is cancelled is owed again, and part of the next batch', async () => {
    await order(100_000);
    mature();
    const first = await dispatch();
    const cancelled = await send('POST', `payouts/${first.body.payouts[0].id}/cancel`, { note: 'wrong account' });
    assert.deepEqual([cancelled.body.status, cancelled.body.note], ['cancelled', 'wrong account']);
    assert.deepEqual(await balance(), [0, 10_000, 0, 0]);
    assert.deepEqual(await commissions(), ['approved 10000']);
    const again = await send('POST', `payouts/${first.body.payouts[0].id}/retry`, {});
    assert.deepEqual([again.status, again.body.amountCents, again.body.id === first.body.payouts[0].id], [201, 10_000, false], again.text);
    assert.equal((await send('POST', `payouts/${first.body.payouts[0].id}/retry`, {})).status, 422);
    assert.equal((await send('GET', `payouts/batches/${first.body.batch.id}`)).body.status, 'failed');
  });

  test('does not pay held commissions, even after the payout of one is cancelled', async () => {
    const {
      commissions: [earned],
    } = await order(100_000, ada.id, { orderId: 'h-1' });
    mature();
    const { body } = await dispatch();
    await refund('h-1', 40_000);
    const held = await send('POST', `commissions/${earned.id}/hold`, { note: 'look' });
    assert.deepEqual([held.status, held.body.status], [200, 'approved'], held.text);
    assert.deepEqual(await balance(), [0, -4000, 10_000, 0]);
    await send('POST', `payouts/${body.payouts[0].id}/cancel`, {});
    assert.deepEqual(await balance(), [6000, 0, 0, 0]);
    assert.equal((await dispatch()).status, 422);
    await send('POST', `commissions/${earned.id}/release`, {});
    assert.equal((await dispatch()).body.batch.totalCents, 6000);
  });

  test('above the threshold awaits the approval of a second person', async () => {
    assert.equal((await service.request('PATCH', program.path, { key: program.key, body: { payoutApprovalCents: 5000 } })).status, 200);
    await order(100_000);
    mature();
    const { body } = await dispatch();
    assert.deepEqual([body.batch.status, body.batch.needsApproval], ['awaiting_approval', true]);
    const alone = await send('POST', `payouts/batches/${body.batch.id}/approve`, {});
    assert.equal(alone.status, 400, alone.text);
    assert.equal((await send('POST', `payouts/${body.payouts[0].id}/mark-paid`, {})).status, 400);
    const finance = await service.asMember('finance', { program });
    const path = `${program.path}/payouts/batches/${body.batch.id}/approve`;
    const approved = await finance.request('POST', path, { body: {} });
    assert.deepEqual([approved.status, approved.body.status], [200, 'processing'], approved.text);
    assert.equal((await finance.request('POST', path, { body: {} })).status, 422);
  });

  test('that awaits approval can be cancelled: everything is owed again', async () => {
    await service.request('PATCH', program.path, { key: program.key, body: { payoutApprovalCents: 5000 } });
    await order(100_000);
    mature();
    const { body } = await dispatch();
    const cancelled = await send('POST', `payouts/batches/${body.batch.id}/cancel`, { note: 'not yet' });
    assert.deepEqual([cancelled.status, cancelled.body.cancelledCount, cancelled.body.batch.status], [200, 1, 'failed'], cancelled.text);
    assert.deepEqual(await balance(), [0, 10_000, 0, 0]);
    assert.equal((await send('POST', `payouts/batches/${body.batch.id}/cancel`, {})).status, 422);
  });

  test('in another currency finds nothing; a future cutoff or an unknown provider is rejected', async () => {
    await order(100_000);
    mature();
    assert.equal((await dispatch({ currency: 'EUR' })).status, 422);
    const future = await dispatch({ cutoffAt: new Date(service.clock.now().getTime() + 1000).toISOString() });
    assert.deepEqual([future.status, future.body.details[0].path], [400, ['cutoffAt']]);
    assert.equal((await dispatch({ providerId: service.ctx.ids.uuid() })).status, 404);
    assert.equal((await dispatch({ cutoffAt: '2026-03-02T00:00:00Z' })).status, 422);
  });
});
