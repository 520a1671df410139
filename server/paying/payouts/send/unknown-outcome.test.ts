// Payouts whose outcome is unknown: nothing is done that could pay twice, and no payout remains open forever.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { anOrder } from '../../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { aPayee, aRail, aSender, closeSender, type Sender } from '../../../../test/support/payees.ts';
import { elapse } from '../../../../test/support/time/wait.ts';
import { transact } from '../../../platform/db/transact.ts';
import { freezeService, unfreezeService } from '../../../platform/freeze/freeze.ts';
import { applyResponses } from '../apply-responses.ts';
import { lockProgram } from '../lock.ts';
import { applyProviderEvents } from './apply-provider-events.ts';
import { followUp } from './follow-up.ts';

let service: TestService;
let rail: Sender['rail'];
let send: Sender['send'];
let program: TestProgram;
let providerId: string;
let ada: { id: string };

before(async () => {
  service = await openTestService();
});
after(() => service.close());
beforeEach(async () => {
  ({ program, rail, ada, send, providerId } = await aSender(service));
});
afterEach(() => closeSender(service, { rail }));

const dispatchFor = async (affiliateId = ada.id, order: { orderId?: string } = {}) => {
  await anOrder(service, { affiliateId, amountCents: 100_000, ...order }, program);
  service.clock.advance({ days: 31 });
  const { status, body, text } = await send('POST', 'payouts/dispatch', {});
  assert.equal(status, 201, text);
  return body.payouts[0].id as string;
};
/** A process trusts what it read about a freeze for a quarter of a second. */
const trustedReading = () => elapse(300);
const statusOf = async (id: string) => (await send('GET', `payouts/${id}`)).body.status;
const later = async () => {
  service.clock.advance({ seconds: 120 });
  await followUp(service.ctx, program.programId);
};

describe('a payout that the provider may or may not have received', () => {
  beforeEach(() => rail.setMode((n) => (n === 0 ? 'fail_before' : 'pay')));

  test('is not sent again while its provider is disabled', async () => {
    const id = await dispatchFor();
    await service.drain();
    assert.equal((await send('PATCH', `providers/${providerId}`, { status: 'disabled' })).status, 200);
    await later();
    assert.deepEqual([rail.payments().length, await statusOf(id)], [0, 'reconcile_required']);
  });

  test('is not sent again while payouts are locked, and is sent after they are unlocked', async () => {
    const id = await dispatchFor();
    await service.drain();
    await transact(service.ctx, (tx) => lockProgram(tx, program.programId, 'open_discrepancies'));
    await later();
    assert.equal(rail.payments().length, 0);
    assert.equal((await send('POST', `payouts/${id}/retry`, {})).body.status, 'reconcile_required');
    assert.equal(rail.payments().length, 0);
    assert.equal((await send('POST', 'payouts/reconcile', {})).body.isUnlocked, true);
    service.clock.advance({ seconds: 3600 });
    await later();
    assert.deepEqual([rail.payments().length, await statusOf(id)], [1, 'paid']);
  });

  test('is not sent again while the service is frozen, and is sent afterwards', async (t) => {
    const id = await dispatchFor();
    await service.drain();
    t.after(() => transact(service.ctx, unfreezeService));
    await transact(service.ctx, (tx) => freezeService(tx, { frozenBy: 'test', note: null }));
    await trustedReading();
    await later();
    assert.deepEqual([rail.payments().length, await statusOf(id)], [0, 'reconcile_required']);
    await transact(service.ctx, unfreezeService);
    await trustedReading();
    service.clock.advance({ seconds: 3600 });
    await later();
    assert.deepEqual([rail.payments().length, await statusOf(id)], [1, 'paid']);
  });

  test('is not sent again to another account than the first attempt', async () => {
    const id = await dispatchFor();
    await service.drain();
    const other = await aRail(service);
    service.clock.advance({ seconds: 1 });
    assert.equal((await send('PATCH', `providers/${providerId}`, { config: { url: other.url } })).status, 200);
    await later();
    assert.deepEqual([other.payments().length, await statusOf(id)], [0, 'reconcile_required']);
    await other.close();
  });
});

test('an event with a reference that several payouts share changes none of them', async () => {
  const bob = await aPayee(service, program);
  rail.setMode('take');
  const ids = [await dispatchFor(), await dispatchFor(bob.id)];
  await service.drain();
  await service.pool.query(`update payouts set provider_reference = 'run-7' where id = any($1)`, [ids]);
  const provider = await service.ctx.db.selectFrom('providers').selectAll().where('id', '=', providerId).executeTakeFirstOrThrow();
  const failed = { outcome: 'failed' as const, code: 'closed', reason: 'closed', reference: 'run-7' };
  const receiveEvent = (paymentId: string | null) =>
    applyProviderEvents(service.ctx, provider, [
      { id: 'e', topic: 't', about: { paymentId, reference: 'run-7', outcome: failed }, at: null },
    ]);
  await receiveEvent(null);
  assert.deepEqual(await Promise.all(ids.map(statusOf)), ['sent', 'sent']);
  await receiveEvent(ids[1] ?? null);
  assert.deepEqual(await Promise.all(ids.map(statusOf)), ['sent', 'failed']);
});

test('a payout that is cancelled and then returned, half refunded and the rest held, leaves a correct ledger', async () => {
  rail.setMode('take');
  const id = await dispatchFor(ada.id, { orderId: 'half' });
  await service.drain();
  const refund = { refundId: `re-${id}`, orderId: 'half', amountCents: 50_000 };
  assert.equal((await service.request('POST', '/v1/refunds', { key: program.key, body: refund })).status, 201);
  const { body } = await send('GET', `commissions?affiliateId=${ada.id}`);
  assert.equal((await send('POST', `commissions/${body.commissions[0].id}/hold`, { note: 'look' })).status, 200);
  assert.equal((await send('POST', `payouts/${id}/cancel`, { confirmNotPaid: true })).status, 200);
  await applyResponses(
    service.ctx,
    program.programId,
    [{ payoutId: id, response: { outcome: 'returned', reference: 'r', reason: 'came back' } }],
    { kind: 'provider', id: providerId },
  );
  assert.equal(await statusOf(id), 'returned');
  const { body: balance } = await send('GET', `affiliates/${ada.id}/balance`);
  assert.deepEqual([balance.pendingCents, balance.availableCents, balance.inTransitCents, balance.paidCents], [5000, 0, 0, 0]);
});

test('retrying a failed payout includes what has matured in the meantime, even before the schedule has updated it', async () => {
  rail.setMode((n) => (n === 0 ? 'reject' : 'pay'));
  const id = await dispatchFor();
  await service.drain();
  await anOrder(service, { affiliateId: ada.id, amountCents: 50_000 }, program);
  service.clock.advance({ days: 31 });
  const { status, body, text } = await send('POST', `payouts/${id}/retry`, {});
  assert.deepEqual([status, body.amountCents], [201, 15_000], text);
});
