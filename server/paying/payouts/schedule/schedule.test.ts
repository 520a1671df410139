// The payout schedule: one batch per period, at its time.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { aScheduledProgram, type ScheduledProgram } from '../../../../test/support/payday/scheduled.ts';
import { openSandbox } from '../../../../test/support/test-clocks/sandbox.ts';
import { checkInvariants } from '../../../operations/verify/invariants.ts';
import { runSchedule } from './run.ts';

let service: TestService;
let own: ScheduledProgram;

before(async () => {
  service = await openTestService();
});
after(async () => {
  const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
  assert.deepEqual(broken, []);
  await service.close();
});
beforeEach(async () => {
  own = await aScheduledProgram(service);
});

describe('the settings of a payout schedule', () => {
  test('are switched off at first, can be changed one by one, and are audited', async () => {
    const first = await own.get('/payouts/schedule');
    assert.deepEqual(
      [first.isActive, first.frequency, first.dayOfMonth, first.hour, first.shift, first.holidays, first.next, first.last, first.updatedAt],
      [false, 'monthly', 1, 9, 'after', [], null, null, null],
    );
    const holidays = ['2026-12-25', '2026-01-01', '2026-12-25'];
    const changed = await own.send('PATCH', '/payouts/schedule', { isActive: true, frequency: 'weekly', dayOfWeek: 5, holidays });
    assert.deepEqual(
      [changed.status, changed.body.holidays, changed.body.next.period],
      [200, ['2026-01-01', '2026-12-25'], changed.body.next.period],
    );
    assert.deepEqual(await own.get('/payouts/schedule'), changed.body);
    await own.send('PATCH', '/payouts/schedule', { dayOfWeek: 5 });
    const rows = await own.auditOf('payout_schedule.updated');
    assert.equal(rows.length, 1);
    assert.deepEqual(rows[0]?.after, { isActive: true, frequency: 'weekly', dayOfWeek: 5, holidays: ['2026-01-01', '2026-12-25'] });
  });

  for (const [field, values] of Object.entries({
    isActive: ['yes', null],
    frequency: ['daily', null],
    dayOfMonth: [0, 32, 1.5, '1'],
    dayOfWeek: [0, 8],
    hour: [-1, 24],
    shift: ['both'],
    holidays: [['2026-02-30'], ['tomorrow'], '2026-01-01', Array(101).fill('2026-01-01')],
  }))
    test(`rejects an invalid ${field} with its path`, async () => {
      for (const value of values) {
        const { status, body } = await own.send('PATCH', '/payouts/schedule', { [field]: value });
        assert.deepEqual([status, body.details?.[0].path[0]], [400, field], JSON.stringify(value));
      }
      assert.equal((await own.get('/payouts/schedule')).updatedAt, null);
    });

  test('say what the next batch would contain: also what matures until then, and whether it awaits approval', async () => {
    await own.send('PATCH', '', { holdDays: 5 });
    await own.earn(40_000);
    await own.activate();
    const { next, limitCents, currency } = await own.get('/payouts/schedule');
    assert.deepEqual([next.affiliateCount, next.amountCents, next.needsApproval, next.blockedReason], [1, 4000, true, null]);
    assert.deepEqual([limitCents, currency, next.isAutomatic], [null, 'USD', false]);
    await own.allow(4000);
    assert.equal((await own.get('/payouts/schedule')).next.needsApproval, false);
    await own.send('PATCH', '', { payoutApprovalCents: 3999 });
    assert.equal((await own.get('/payouts/schedule')).next.needsApproval, true, 'the threshold of the program applies, too');
  });
});

describe('a payday', () => {
  test('prepares one batch of everything due, which awaits the approval of a member, and informs those who approve', async () => {
    await own.earn();
    await own.activate();
    await own.tick();
    assert.deepEqual(await own.listBatches(), [], 'before the payday');
    await own.moveToPayday();
    const { period } = (await own.get('/payouts/schedule')).next;
    await own.tick();
    const [batch, ...others] = await own.listBatches();
    assert.deepEqual(
      [batch.status, batch.totalCents, batch.dispatchedBy, others],
      ['awaiting_approval', 4000, { kind: 'schedule', id: 'payouts.runSchedules' }, []],
    );
    const { last, next } = await own.get('/payouts/schedule');
    assert.deepEqual([last.period, last.outcome, last.batchId, next.period > period], [period, 'dispatched', batch.id, true]);
    const [entry] = await own.auditOf('payout_schedule.ran');
    assert.deepEqual(entry, { actor: 'schedule', before: null, after: { period, totalCents: 4000 } });
    const [email, ...more] = await own.listEmails();
    assert.ok(email);
    assert.deepEqual([email.to, more], [own.finance.email, []]);
    assert.match(email.subject, /A payout of \$40\.00 awaits approval$/);
    assert.match(email.text, new RegExp(`/console/${own.program.programId}/payouts/batches/${batch.id}`));
    assert.equal(
      (await own.send('POST', `/payouts/batches/${batch.id}/approve`, {})).body.code,
      'second_approver_required',
      'no API key approves',
    );
    // The session of the payday before has expired.
    const approver = await service.asMember('finance', { program: own.program });
    const approved = await approver.request('POST', `${own.program.path}/payouts/batches/${batch.id}/approve`, { body: {} });
    assert.deepEqual(
      [approved.status, approved.body.status, approved.body.approvedBy.id],
      [200, 'processing', approver.userId],
      approved.text,
    );
  });

  test('has one batch, whatever runs simultaneously, again, or after a change of the day', async () => {
    await own.earn();
    await own.activate();
    await own.moveToPayday();
    await Promise.all([own.tick(), own.tick(), runSchedule(service.ctx, own.program.programId), own.tick()]);
    await own.earn();
    await own.tick();
    const dayOfMonth = service.clock.now().getUTCDate() + 1;
    await own.activate({ dayOfMonth });
    service.clock.advance({ days: 2 });
    await own.tick();
    assert.equal((await own.listBatches()).length, 1);
    assert.equal((await own.listEmails()).length, 1);
    const insert = `insert into payout_schedule_runs (program_id, period, pay_on, outcome, started_at) select program_id, period, pay_on, 'skipped', started_at
      from payout_schedule_runs where program_id = $1`;
    await assert.rejects(own.query(insert), { constraint: 'payout_schedule_runs_pkey' });
  });

  test('that was missed is caught up once: three months without a run have one batch', async () => {
    await own.earn();
    await own.activate();
    service.clock.advance({ days: 95 });
    await own.tick();
    await own.tick();
    assert.equal((await own.listBatches()).length, 1);
    assert.equal((await own.query('select period from payout_schedule_runs where program_id = $1')).length, 1);
  });

  test('without anything due is over: what is earned later waits for the next one', async () => {
    await own.activate();
    await own.moveToPayday();
    await own.tick();
    assert.deepEqual([(await own.get('/payouts/schedule')).last.outcome, await own.listEmails()], ['nothing_due', []]);
    await own.earn();
    await own.tick();
    assert.deepEqual(await own.listBatches(), []);
    await own.moveToPayday();
    await own.tick();
    assert.equal((await own.listBatches()).length, 1);
  });

  test('is not run while the schedule is switched off, or the program is about to be deleted', async () => {
    await own.earn();
    await own.activate();
    await own.send('PATCH', '/payouts/schedule', { isActive: false });
    service.clock.advance({ days: 40 });
    await own.tick();
    await own.activate();
    await own.tick();
    assert.deepEqual(await own.listBatches(), [], 'a payday before the activation is not caught up');
    await own.moveToPayday();
    await service.pool.query('update programs set deletion_requested_at = created_at, delete_after = created_at where id = $1', [
      own.program.programId,
    ]);
    await own.tick();
    await runSchedule(service.ctx, own.program.programId);
    assert.equal((await own.query('select from payout_batches where program_id = $1')).length, 0);
    await service.pool.query('update programs set deletion_requested_at = null, delete_after = null where id = $1', [
      own.program.programId,
    ]);
  });

  test('follows a changed time zone of the program', async () => {
    await own.activate({ hour: 9 });
    const before = (await own.get('/payouts/schedule')).next.startsAt;
    await own.send('PATCH', '', { timezone: 'Asia/Tokyo' });
    await own.tick();
    const [{ at }] = await own.query('select next_run_at as at from payout_schedules where program_id = $1');
    assert.equal(Date.parse(before) - at.getTime(), 9 * 3_600_000);
    assert.equal((await own.get('/payouts/schedule')).next.startsAt, at.toISOString());
  });

  test('happens at its time when the test clock of a program is advanced', async () => {
    const sandbox = await openSandbox(service, 'Sandbox', 'Europe/Berlin');
    await sandbox.call('PATCH', '', { holdDays: 0, minimumPayoutCents: 0 });
    await aRule(service, { rate: 10 }, sandbox);
    const { id } = await anAffiliate(service, { status: 'active' }, sandbox);
    await sandbox.call('PATCH', '/payouts/schedule', { isActive: true, frequency: 'weekly', dayOfWeek: 1, shift: 'none' });
    const started: string[] = [];
    for (let week = 0; week < 3; week += 1) {
      await anOrder(service, { affiliateId: id, amountCents: 40_000 }, sandbox);
      await sandbox.advance({ days: 7 });
      started.push((await sandbox.call('GET', '/payouts/schedule')).body.last.startedAt);
    }
    const { rows } = await service.pool.query('select count(*)::int as count from payout_batches where program_id = $1', [
      sandbox.programId,
    ]);
    assert.equal(rows[0].count, 3);
    const local = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', weekday: 'short', hour: '2-digit', minute: '2-digit' });
    assert.deepEqual(
      started.map((at) => local.format(new Date(at))),
      Array(3).fill('Mon 09:00'),
    );
  });
});
