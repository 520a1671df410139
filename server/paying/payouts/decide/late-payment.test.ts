// A payout that the bank executed although it was cancelled, or had failed: `paid` always wins (decision 068). What was paid
// is not paid again, and the caller learns what follows from it.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { watchAlerts } from '../../../operations/alerts/watch.ts';
import { checkInvariants } from '../../../operations/verify/invariants.ts';
import { applyResponses } from '../apply-responses.ts';

let service: TestService;
let program: TestProgram;
let ada: string;

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
  program = await service.newProgram(`Late ${Math.random()}`);
  assert.equal((await service.request('PATCH', program.path, { body: { minimumPayoutCents: 0 }, key: program.key })).status, 200);
  ada = (await anAffiliate(service, { status: 'active' }, program)).id;
});

const send = (method: string, path: string, body?: object) =>
  service.request(method, `${program.path}/${path}`, body ? { body, key: program.key } : { key: program.key });
const earn = (amountCents: number) => send('POST', 'commissions', { affiliateId: ada, amountCents, note: 'Bonus' });

/** Dispatches what is due to Ada; null if nothing is. */
async function dispatch(): Promise<{ id: string; amountCents: number; batchId: string } | null> {
  const { status, body, text } = await send('POST', 'payouts/dispatch', {});
  assert.ok(status === 201 || body.code === 'nothing_due', text);
  return body.payouts?.[0] ?? null;
}

async function aCancelledPayout(): Promise<{ id: string; batchId: string }> {
  await earn(10_000);
  const payout = (await dispatch()) ?? assert.fail('nothing was due');
  assert.equal((await send('POST', `payouts/${payout.id}/cancel`, { note: 'Wrong bank account' })).status, 200);
  return payout;
}

const markPaid = (id: string) => send('POST', `payouts/${id}/mark-paid`, { reference: 'SEPA 1' });
const owed = async () => {
  const { body } = await send('GET', `affiliates/${ada}/balance`);
  return [body.availableCents, body.paidCents];
};
const codes = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code);

async function openAlerts(): Promise<string[]> {
  await watchAlerts.run(service.ctx, {}, { isLast: true });
  const { body } = await send('GET', 'alerts?status=open&kind=payouts_duplicate');
  return body.alerts.map(({ reason }: { reason: string }) => reason);
}

describe('a cancelled payout that was paid', () => {
  test('is marked as paid, and the next dispatch does not pay it again', async () => {
    const { id } = await aCancelledPayout();
    assert.deepEqual(await owed(), [10_000, 0]);
    const { status, body, text } = await markPaid(id);
    assert.deepEqual([status, body.status, body.reference], [200, 'paid', 'SEPA 1'], text);
    assert.deepEqual(codes(body), ['was_cancelled']);
    assert.equal(body.warnings[0].message, 'This payout was cancelled before. Its amount ($100.00) is no longer owed to the affiliate.');
    assert.deepEqual(await owed(), [0, 10_000]);
    assert.equal(await dispatch(), null);
    await earn(2500);
    assert.equal((await dispatch())?.amountCents, 2500);
    assert.deepEqual(await openAlerts(), []);
    const { rows } = await service.pool.query(
      `select data -> 'status' as status, previous -> 'status' as before from events where object_id = $1 and type = 'payout.paid'`,
      [id],
    );
    assert.deepEqual(rows, [{ status: 'paid', before: 'cancelled' }]);
    assert.equal((await markPaid(id)).status, 422);
  });

  test('after another payout of the same commissions was created: the response and an alert name it until it is cancelled', async () => {
    const { id } = await aCancelledPayout();
    const again = (await dispatch()) ?? assert.fail('nothing was due');
    const { body } = await markPaid(id);
    assert.deepEqual(codes(body), ['was_cancelled', 'commissions_in_open_payout']);
    assert.equal(
      body.warnings[1].message,
      `The payout ${again.id} (queued) includes the same commissions. Cancel it if it was not paid; otherwise its amount is ` +
        'deducted from the next payouts to the affiliate.',
    );
    assert.deepEqual(await owed(), [-10_000, 10_000]);
    const reason = `An open payout includes commissions that another payout already paid: cancel it if it was not paid (${again.id}).`;
    assert.deepEqual(await openAlerts(), [reason]);
    assert.equal((await send('POST', `payouts/${again.id}/cancel`)).status, 200);
    assert.deepEqual(await openAlerts(), []);
    assert.deepEqual(await owed(), [0, 10_000]);
    assert.equal(await dispatch(), null);
  });

  test('after another payout was paid too: the response says that the amount is a debt, and later payouts deduct it', async () => {
    const { id } = await aCancelledPayout();
    const again = (await dispatch()) ?? assert.fail('nothing was due');
    assert.deepEqual((await markPaid(again.id)).body.warnings, []);
    const { body } = await markPaid(id);
    assert.deepEqual(codes(body), ['was_cancelled', 'paid_twice']);
    assert.equal(
      body.warnings[1].message,
      'Other payouts paid the same commissions: $100.00 was paid twice. The next payouts to the affiliate deduct it.',
    );
    assert.deepEqual(await owed(), [-10_000, 20_000]);
    await earn(12_500);
    assert.equal((await dispatch())?.amountCents, 2500);
    assert.deepEqual(await openAlerts(), []);
  });

  test('although it had failed is marked as paid; one that was returned is not', async () => {
    await earn(10_000);
    const payout = (await dispatch()) ?? assert.fail('nothing was due');
    const provider = { kind: 'provider' as const, id: service.ctx.ids.uuid() };
    const respond = (response: Parameters<typeof applyResponses>[2][number]['response']) =>
      applyResponses(service.ctx, program.programId, [{ payoutId: payout.id, response }], provider);
    await respond({ outcome: 'failed', code: 'closed', reason: 'account closed' });
    const { body } = await markPaid(payout.id);
    assert.deepEqual([body.status, codes(body)], ['paid', ['had_failed']]);
    await respond({ outcome: 'returned', reference: 'SEPA 1', reason: 'unknown account' });
    const returned = await markPaid(payout.id);
    assert.deepEqual([returned.status, returned.body.code], [400, 'payout_ended']);
    assert.equal(returned.body.error, 'This payout was returned: retry it to pay the affiliate again.');
  });

  test('is marked as paid once by simultaneous requests', async () => {
    const { id } = await aCancelledPayout();
    const responses = await Promise.all([markPaid(id), markPaid(id), markPaid(id)]);
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 422, 422]);
    assert.deepEqual(await owed(), [0, 10_000]);
  });
});
