// Sending through a provider: no affiliate is paid twice according to its records, and in the end both records agree.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { anOrder } from '../../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { aSender, closeSender, type Sender } from '../../../../test/support/payees.ts';
import type { Mode } from '../../../../test/support/rails/faults.ts';
import { until } from '../../../../test/support/time/wait.ts';
import { followUp } from './follow-up.ts';
import { sendQueued } from './send.ts';

let service: TestService;
let rail: Sender['rail'];
let send: Sender['send'];
let program: TestProgram;
let ada: { id: string };

before(async () => {
  service = await openTestService();
});
after(() => service.close());
beforeEach(async () => {
  ({ program, rail, ada, send } = await aSender(service));
});
afterEach(() => closeSender(service, { rail }));

/** Dispatches a payout of 100.00 to Ada and returns its id. */
async function dispatchPayout(): Promise<string> {
  await anOrder(service, { affiliateId: ada.id, amountCents: 100_000 }, program);
  service.clock.advance({ days: 31 });
  const { status, body, text } = await send('POST', 'payouts/dispatch', {});
  assert.equal(status, 201, text);
  return body.payouts[0].id;
}
const getPayout = async (id: string) => (await send('GET', `payouts/${id}`)).body;
const balance = async () => {
  const { body } = await send('GET', `affiliates/${ada.id}/balance`);
  return [body.availableCents, body.inTransitCents, body.paidCents];
};
const listPayments = () => rail.payments().map(({ paymentId, amountCents, state }) => `${paymentId} ${amountCents} ${state}`);

describe('a payout', () => {
  test('is paid once, by the job of the dispatch', async () => {
    const id = await dispatchPayout();
    assert.equal(rail.asked(), 0, 'the provider was called during the dispatch');
    await service.drain();
    assert.deepEqual(listPayments(), [`${id} 10000 paid`]);
    const { status, reference, attempts, history } = await getPayout(id);
    assert.deepEqual([status, reference, attempts], ['paid', 'ext_0', 1]);
    assert.deepEqual(
      history.map((step: { status: string }) => step.status),
      ['queued', 'sending', 'paid'],
    );
    assert.deepEqual(await balance(), [0, 0, 10_000]);
    await sendQueued(service.ctx, program.programId);
    assert.equal(rail.payments().length, 1);
  });

  test('that the provider rejects is owed again, and paid by a new payout', async () => {
    rail.setMode('reject');
    const id = await dispatchPayout();
    await service.drain();
    const failed = await getPayout(id);
    assert.deepEqual([failed.status, failed.failureCode], ['failed', 'account_closed']);
    assert.ok(!failed.failureReason.includes('acct-'));
    assert.deepEqual(await balance(), [10_000, 0, 0]);
    rail.setMode('pay');
    const retried = await send('POST', `payouts/${id}/retry`, {});
    assert.equal(retried.status, 201, retried.text);
    await service.drain();
    assert.deepEqual(listPayments(), [`${retried.body.id} 10000 paid`]);
    assert.deepEqual(await balance(), [0, 0, 10_000]);
  });

  for (const mode of ['fail_before', 'fail_after', 'reset_before', 'reset_after', 'garbage', 'take'] as Mode[]) {
    test(`is looked up and never paid twice when the provider does "${mode}"`, async () => {
      rail.setMode((n) => (n === 0 ? mode : 'pay'));
      const id = await dispatchPayout();
      await service.drain();
      const { status } = await getPayout(id);
      assert.equal(status, mode === 'take' ? 'sent' : 'reconcile_required');
      assert.deepEqual(await balance(), [0, 10_000, 0]);
      assert.equal((await send('POST', 'payouts/dispatch', {})).status, 422);
      rail.settle();
      service.clock.advance({ seconds: 61 });
      await followUp(service.ctx, program.programId);
      assert.deepEqual(listPayments(), [`${id} 10000 paid`]);
      assert.equal((await getPayout(id)).status, 'paid');
      assert.deepEqual(await balance(), [0, 0, 10_000]);
    });
  }

  test('is sent later when the provider rate limits', async () => {
    rail.setMode((n) => (n === 0 ? 'rate_limit' : 'pay'));
    const id = await dispatchPayout();
    await service.drain();
    assert.deepEqual([(await getPayout(id)).status, rail.payments().length], ['queued', 0]);
    service.clock.advance({ seconds: 8 });
    await followUp(service.ctx, program.programId);
    assert.deepEqual([(await getPayout(id)).status, (await getPayout(id)).attempts, rail.payments().length], ['paid', 1, 1]);
  });

  test('whose process ended is looked up after its lease, and paid once', async () => {
    rail.setMode('hang_then_pay');
    const id = await dispatchPayout();
    const sending = sendQueued(service.ctx, program.programId);
    await until('the provider is called', () => rail.asked() >= 2);
    // As if the process had ended: another one finds the claim after its lease.
    service.clock.advance({ seconds: 301 });
    rail.setMode('pay');
    await followUp(service.ctx, program.programId);
    assert.deepEqual(listPayments(), [`${id} 10000 paid`]);
    rail.settle();
    assert.equal(rail.payments().length, 1, 'the provider remembers the idempotency key');
    await rail.close();
    await sending;
    assert.equal((await getPayout(id)).status, 'paid');
  });

  test('that may have been paid is cancelled only after a confirmation', async () => {
    rail.setMode('fail_before');
    const id = await dispatchPayout();
    await service.drain();
    assert.equal((await send('POST', `payouts/${id}/cancel`, {})).status, 400);
    const { status, body } = await send('POST', `payouts/${id}/cancel`, { confirmNotPaid: true });
    assert.deepEqual([status, body.status], [200, 'cancelled']);
    assert.deepEqual(await balance(), [10_000, 0, 0]);
  });

  test('that was cancelled and then paid becomes a debt', async () => {
    rail.setMode('hang_then_pay');
    const id = await dispatchPayout();
    const sending = sendQueued(service.ctx, program.programId);
    await until('the provider is called', () => rail.asked() >= 2);
    rail.settle();
    service.clock.advance({ seconds: 301 });
    await service.pool.query(
      `update payouts set status = 'unknown', lease_until = null, next_check_at = null, changes = changes + 1 where id = $1`,
      [id],
    );
    await service.pool.query(
      `insert into payout_events (program_id, payout_id, step, from_status, to_status, actor_kind, actor_id, created_at)
        select program_id, id, changes, 'sending', 'unknown', 'schedule', 'test', now() from payouts where id = $1`,
      [id],
    );
    await send('POST', `payouts/${id}/cancel`, { confirmNotPaid: true });
    const again = await send('POST', 'payouts/dispatch', {});
    rail.setMode('pay');
    await sendQueued(service.ctx, program.programId);
    await rail.close();
    await sending;
    assert.equal((await getPayout(id)).status, 'paid');
    assert.equal((await getPayout(again.body.payouts[0].id)).status, 'paid');
    assert.deepEqual(await balance(), [-10_000, 0, 20_000]);
  });

  test('that is returned is owed again', async () => {
    const id = await dispatchPayout();
    await service.drain();
    rail.returnPayment(id);
    const compared = await send('POST', 'payouts/reconcile', {});
    assert.deepEqual([compared.status, compared.body.isUnlocked], [200, true], compared.text);
    assert.equal((await getPayout(id)).status, 'returned');
    assert.deepEqual(await balance(), [10_000, 0, 0]);
    const next = await send('POST', 'payouts/dispatch', {});
    await service.drain();
    assert.equal((await getPayout(next.body.payouts[0].id)).status, 'paid');
  });
});
