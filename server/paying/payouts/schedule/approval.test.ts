// What the payout schedule sends without an approval, and what keeps it from preparing a batch.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anOrder } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { aScheduledProgram, type ScheduledProgram } from '../../../../test/support/payday/scheduled.ts';
import { anExternalProvider, aPayee, aRail } from '../../../../test/support/payees.ts';
import { applySettingChanges } from '../../../accounts/programs/setting-changes/decide.ts';
import { notifyAtOnce } from '../../../messaging/notifications/send.ts';
import { checkInvariants } from '../../../operations/verify/invariants.ts';

let service: TestService;
let own: ScheduledProgram;
const rails: Awaited<ReturnType<typeof aRail>>[] = [];

before(async () => {
  service = await openTestService();
});
after(async () => {
  const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
  assert.deepEqual(broken, []);
  for (const rail of rails) await rail.close();
  await service.close();
});
beforeEach(async () => {
  own = await aScheduledProgram(service);
});

describe('the limit for batches without an approval', () => {
  test('is set and raised by two people, or after 72 hours, even where nothing else is guarded; it is lowered immediately', async () => {
    const pending = async (scheduledPayoutLimitCents: number | null) => {
      const { body } = await own.send('PATCH', '', { scheduledPayoutLimitCents });
      return [body.scheduledPayoutLimitCents, body.pendingChanges.map(({ value }: { value: unknown }) => value)];
    };
    assert.deepEqual(await pending(5000), [null, [5000]]);
    const [{ id }] = (await own.get('')).pendingChanges;
    assert.equal((await own.send('POST', `/setting-changes/${id}/approve`, {})).body.code, 'second_approver_required');
    await own.allow(5000);
    assert.deepEqual(await pending(5001), [5000, [5001]]);
    assert.deepEqual(await pending(4000), [4000, []]);
    assert.deepEqual(await pending(6000), [4000, [6000]]);
    service.clock.advance({ days: 3, seconds: 1 });
    await applySettingChanges.run(service.ctx, {}, { isLast: false });
    assert.equal((await own.get('')).scheduledPayoutLimitCents, 6000);
    assert.deepEqual(await pending(null), [null, []]);
  });

  test('lets a batch of exactly this amount be sent without one, and no larger one', async () => {
    const rail = await aRail(service);
    rails.push(rail);
    await anExternalProvider(service, rail.url, own.program);
    const { id } = await aPayee(service, own.program);
    await own.allow(4000);
    await own.activate();
    await anOrder(service, { affiliateId: id, amountCents: 40_000 }, own.program);
    await own.moveToPayday();
    service.clock.advance({ days: 4 });
    await own.tick();
    while ((await service.drain()) > 0);
    assert.deepEqual(
      rail.payments().map(({ amountCents }) => amountCents),
      [4000],
    );
    assert.match((await own.listEmails())[0]?.subject ?? '', /Payouts of \$40\.00 are being sent$/);
    await anOrder(service, { affiliateId: id, amountCents: 40_010 }, own.program);
    await own.moveToPayday();
    await own.tick();
    while ((await service.drain()) > 0);
    assert.equal(rail.payments().length, 1);
    assert.equal((await own.listBatches())[0].status, 'awaiting_approval');
  });

  test('is announced only to members who want an email at once, and never twice', async () => {
    const owner = await service.asMember('owner', { program: own.program });
    const path = `/app/programs/${own.program.programId}/notification-settings`;
    await owner.request('PATCH', path, { body: { notifications: [{ kind: 'payout_approval', delivery: 'off' }] } });
    await notifyAtOnce(own.program.programId, service.ctx);
    await own.earn();
    await own.activate();
    await own.moveToPayday();
    await own.tick();
    await notifyAtOnce(own.program.programId, service.ctx);
    const written = await own.query(
      `select kind, to_address as to from emails where program_id = $1 and kind in ('payout_schedule', 'notifications')`,
    );
    assert.deepEqual(written, [{ kind: 'payout_schedule', to: own.finance.email }]);
  });

  test('does not replace the second person that a large batch needs: not the member who changed the schedule', async () => {
    await own.send('PATCH', '', { payoutApprovalCents: 1000 });
    await own.allow(100_000);
    await own.earn();
    const set = await own.finance.request('PATCH', `${own.program.path}/payouts/schedule`, { body: { isActive: true } });
    assert.equal(set.status, 200, set.text);
    await own.moveToPayday();
    await own.tick();
    const [{ id, status }] = await own.listBatches();
    assert.equal(status, 'awaiting_approval');
    const path = `${own.program.path}/payouts/batches/${id}/approve`;
    const { cookie } = await service.signIn(own.finance.userId);
    const headers = { cookie, origin: 'http://api.test', 'tributary-program': own.program.programId };
    const byOwn = await service.request('POST', path, { body: {}, headers, key: null });
    assert.equal(byOwn.body.code, 'second_approver_required', byOwn.text);
    const other = await service.asMember('finance', { program: own.program });
    assert.equal((await other.request('POST', path, { body: {} })).status, 200);
  });

  test('never lets a member whose role is new approve a batch', async () => {
    await own.earn();
    await own.activate();
    await own.moveToPayday();
    await own.tick();
    const [{ id }] = await own.listBatches();
    const fresh = await service.asMember('finance', { program: own.program, isNew: true });
    assert.equal(
      (await fresh.request('POST', `${own.program.path}/payouts/batches/${id}/approve`, { body: {} })).body.code,
      'second_approver_required',
    );
  });
});

describe('what prevents a batch', () => {
  test('leaves it to be caught up, once, and is reported once', async () => {
    const rail = await aRail(service);
    rails.push(rail);
    const providerId = await anExternalProvider(service, rail.url, own.program);
    const { id } = await aPayee(service, own.program);
    await anOrder(service, { affiliateId: id, amountCents: 40_000 }, own.program);
    await own.activate();
    await own.moveToPayday();
    service.clock.advance({ days: 4 });
    await own.send('PATCH', `/providers/${providerId}`, { status: 'disabled' });
    const { next } = await own.get('/payouts/schedule');
    assert.deepEqual([next.blockedReason, next.affiliateCount], ['provider_unavailable', 0]);
    await own.tick();
    await own.tick();
    assert.deepEqual([await own.listBatches(), (await own.get('/payouts/schedule')).next.startsAt], [[], next.startsAt]);
    assert.deepEqual(
      (await own.auditOf('payout_schedule.blocked')).map(({ after }) => after),
      [{ period: next.period, reason: 'provider_unavailable' }],
    );
    assert.match((await own.listEmails())[0]?.text ?? '', /provider is disabled/);
    const enabled = await own.send('PATCH', `/providers/${providerId}`, { status: 'connected' });
    assert.equal(enabled.status, 200, enabled.text);
    await own.tick();
    await own.tick();
    assert.equal((await own.listBatches()).length, 1, JSON.stringify(await own.get('/payouts/schedule')));
  });

  test('includes a lock of payouts, which the run stores', async () => {
    await own.earn();
    await own.activate();
    await own.moveToPayday();
    await service.pool.query(`update payout_safety set lock_reason = 'clock_changed', locked_at = seen_at where program_id = $1`, [
      own.program.programId,
    ]);
    assert.equal((await own.get('/payouts/schedule')).next.blockedReason, 'payouts_locked');
    await own.tick();
    assert.deepEqual(
      (await own.auditOf('payout_schedule.blocked')).map(({ after }) => after.reason),
      ['payouts_locked'],
    );
    assert.equal((await own.send('POST', '/payouts/reconcile', { acknowledge: true })).body.isUnlocked, true);
    await own.tick();
    assert.equal((await own.listBatches()).length, 1);
  });
});

describe('after a backup was restored', () => {
  /** A database has another identity after it was restored. */
  const restore = () =>
    service.pool.query(`update payout_schedules set database_identity = 'former' where program_id = $1`, [own.program.programId]);

  test('a payday that had passed is skipped, because it may have been paid, and is reported', async () => {
    await own.earn();
    await own.activate();
    await own.moveToPayday();
    const { period } = (await own.get('/payouts/schedule')).next;
    await restore();
    await own.tick();
    await own.tick();
    assert.deepEqual(await own.listBatches(), []);
    const { last, next } = await own.get('/payouts/schedule');
    assert.deepEqual([last.period, last.outcome, next.period > period], [period, 'skipped', true]);
    assert.equal((await own.auditOf('payout_schedule.skipped')).length, 1);
    assert.deepEqual(
      (await own.listEmails()).map(({ subject }) => subject.replace(/^.*: /, '')),
      ['The scheduled payouts were skipped'],
    );
    await own.moveToPayday();
    await own.tick();
    assert.equal((await own.listBatches()).length, 1, 'the next one pays what is due');
  });

  test('a later payday is not skipped, because the restored database is noticed before it', async () => {
    await own.earn();
    await own.activate();
    await restore();
    await own.tick();
    await own.moveToPayday();
    await own.tick();
    assert.equal((await own.listBatches()).length, 1);
  });
});
