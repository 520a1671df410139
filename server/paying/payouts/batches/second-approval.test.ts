// The second approval: one person can't dispatch more than the threshold in any way.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { anExternalProvider, aPayee, aRail } from '../../../../test/support/payees.ts';
import { applySettingChanges } from '../../../accounts/programs/setting-changes/decide.ts';

let service: TestService;
let program: TestProgram;
let approver: TestMember;
let affiliates: string[];

before(async () => {
  service = await openTestService();
});
after(() => service.close());
beforeEach(async () => {
  program = await service.newProgram(`Careful ${Math.random()}`);
  await aRule(service, { rate: 10 }, program);
  affiliates = [];
  for (let n = 0; n < 3; n += 1) affiliates.push((await anAffiliate(service, { status: 'active' }, program)).id);
  for (const affiliateId of affiliates) await anOrder(service, { affiliateId, amountCents: 40_000 }, program);
  service.clock.advance({ days: 31 });
  approver = await service.asMember('admin', { program });
  await change({ payoutApprovalCents: 5000, contactEmail: 'owner@brand.example' });
});

const send = (method: string, path: string, body?: object, key = program.key) =>
  service.request(method, `${program.path}${path}`, { key, body });
const approve = (path: string, member = approver) => member.request('POST', `${program.path}${path}/approve`, { body: {} });
const change = async (body: object, key = program.key) => {
  const changed = await send('PATCH', '', body, key);
  assert.equal(changed.status, 200, changed.text);
  return changed.body;
};
const dispatch = (index: number, body: object = {}) =>
  send('POST', '/payouts/dispatch', { affiliateIds: [affiliates[index]], minimumPayoutCents: 0, ...body });
const needsApproval = async (index: number) => (await dispatch(index)).body.batch.needsApproval;

describe('the threshold for a second approval', () => {
  test('counts what was dispatched without approval in the last 24 hours', async () => {
    assert.equal(await needsApproval(0), false);
    assert.equal((await dispatch(1, { dryRun: true })).body.batch.needsApproval, true);
    assert.equal(await needsApproval(1), true, 'split by affiliateIds');
    service.clock.advance({ seconds: 24 * 3600 + 1 });
    assert.equal(await needsApproval(2), false);
  });

  test('counts a cancelled payout that may have been paid manually before', async () => {
    const { body } = await dispatch(0);
    await send('POST', `/payouts/${body.payouts[0].id}/cancel`, {});
    assert.equal(await needsApproval(0), true);
  });

  test('does not count a payout that was never sent to its automatic provider', async () => {
    const rail = await aRail(service);
    await anExternalProvider(service, rail.url, program);
    affiliates = [(await aPayee(service, program)).id];
    await anOrder(service, { affiliateId: affiliates[0], amountCents: 40_000 }, program);
    service.clock.advance({ days: 31 });
    const { body, text } = await dispatch(0);
    assert.equal(body.batch.needsApproval, false, text);
    assert.equal((await send('POST', `/payouts/batches/${body.batch.id}/cancel`, {})).status, 200);
    assert.equal(await needsApproval(0), false);
    await rail.close();
  });

  test('does not count what was approved', async () => {
    await change({ payoutApprovalCents: 3000 });
    const { body } = await dispatch(0);
    assert.equal((await approve(`/payouts/batches/${body.batch.id}`)).status, 200);
    await change({ payoutApprovalCents: 5000 });
    const [pending] = (await send('GET', '')).body.pendingChanges;
    assert.equal((await approve(`/setting-changes/${pending.id}`)).status, 200);
    assert.equal(await needsApproval(1), false);
  });
});

describe('loosening a safety setting', () => {
  const pendingOf = (body: { pendingChanges: { field: string; value: unknown }[] }) =>
    body.pendingChanges.map(({ field, value }) => [field, value]);

  test('waits: raised and null, until another person approves it', async () => {
    const raised = await change({ payoutApprovalCents: 6000, holdDays: 7 });
    assert.deepEqual([raised.payoutApprovalCents, raised.holdDays], [5000, 7]);
    assert.deepEqual(pendingOf(raised), [['payoutApprovalCents', 6000]]);
    const none = await change({ payoutApprovalCents: null });
    assert.deepEqual([none.payoutApprovalCents, pendingOf(none)], [5000, [['payoutApprovalCents', null]]]);
    assert.equal((await dispatch(0, { affiliateIds: affiliates })).body.batch.needsApproval, true);
    const path = `/setting-changes/${none.pendingChanges[0].id}`;
    const alone = await send('POST', `${path}/approve`, {});
    assert.deepEqual([alone.status, alone.body.code], [400, 'second_approver_required'], alone.text);
    const approved = await approve(path);
    assert.deepEqual([approved.status, approved.body.payoutApprovalCents, approved.body.pendingChanges], [200, null, []]);
    assert.equal((await approve(path)).status, 404);
  });

  test('takes effect after 72 hours; the contact receives an email when it is requested', async () => {
    const requested = await change({ payoutApprovalCents: null });
    await change({ payoutApprovalCents: null });
    await service.drain();
    const { name } = (await send('GET', '')).body;
    const sent = service.mails.filter(({ subject }) => subject.startsWith(name));
    assert.deepEqual(
      sent.map(({ to }) => to),
      ['owner@brand.example'],
    );
    assert.match(sent[0]?.text ?? '', /changes from \$50\.00 to none/);
    const waitMs = Date.parse(requested.pendingChanges[0].effectiveAt) - service.clock.now().getTime();
    assert.equal(waitMs, 72 * 3_600_000);
    service.clock.advance({ seconds: 72 * 3600 - 1 });
    await applyNow();
    assert.equal((await send('GET', '')).body.payoutApprovalCents, 5000);
    service.clock.advance({ seconds: 1 });
    await applyNow();
    const after72 = (await send('GET', '')).body;
    assert.deepEqual([after72.payoutApprovalCents, after72.pendingChanges], [null, []]);
    const { rows } = await service.pool.query(
      `select actor_kind from audit_log where program_id = $1 and action = 'program.updated' order by created_at desc, id desc limit 1`,
      [program.programId],
    );
    assert.deepEqual(rows, [{ actor_kind: 'schedule' }]);
  });

  test('can be cancelled, and a later request for the same setting replaces it', async () => {
    const requested = await change({ payoutApprovalCents: null });
    const cancelled = await send('POST', `/setting-changes/${requested.pendingChanges[0].id}/cancel`, {});
    assert.deepEqual([cancelled.status, cancelled.body.payoutApprovalCents, cancelled.body.pendingChanges], [200, 5000, []]);
    await change({ payoutApprovalCents: null });
    const tightened = await change({ payoutApprovalCents: 100 });
    assert.deepEqual([tightened.payoutApprovalCents, tightened.pendingChanges], [100, []]);
    await change({ payoutApprovalCents: 101 });
    assert.deepEqual((await change({ payoutApprovalCents: 100 })).pendingChanges, [], 'the current value again');
  });

  test('includes the address that notices go to, and tax forms; without a threshold all are free', async () => {
    await change({ taxForms: 'required' });
    const requested = await change({ contactEmail: 'attacker@example.com', taxForms: 'off' });
    assert.deepEqual([requested.contactEmail, requested.taxForms], ['owner@brand.example', 'required']);
    assert.deepEqual(pendingOf(requested), [
      ['contactEmail', 'attacker@example.com'],
      ['taxForms', 'off'],
    ]);
    const other = service.foreign;
    const free = await service.request('PATCH', other.path, { key: other.key, body: { contactEmail: 'a@b.example' } });
    assert.deepEqual([free.body.contactEmail, free.body.pendingChanges], ['a@b.example', []]);
    const again = await service.request('PATCH', other.path, { key: other.key, body: { contactEmail: null } });
    assert.deepEqual([again.body.contactEmail, again.body.pendingChanges], [null, []]);
  });
});

/** Runs the schedule of pending changes. */
async function applyNow(): Promise<void> {
  await applySettingChanges.run(service.ctx, {}, { isLast: true });
}
