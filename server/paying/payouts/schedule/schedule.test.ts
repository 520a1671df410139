// The payout schedule: one batch per period, which awaits approval unless two people allowed its amount.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { anExternalProvider, aPayee, aRail } from '../../../../test/support/payees.ts';
import { openSandbox } from '../../../../test/support/test-clocks/sandbox.ts';
import { applySettingChanges } from '../../../accounts/programs/setting-changes/decide.ts';
import { checkInvariants } from '../../../operations/verify/invariants.ts';
import { runPayoutSchedules, runSchedule } from './run.ts';

let service: TestService;
let program: TestProgram;
let finance: TestMember;
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
  program = await service.newProgram(`Scheduled ${Math.random()}`);
  finance = await service.asMember('finance', { program });
  await send('PATCH', '', { holdDays: 0, minimumPayoutCents: 0 });
  await aRule(service, { rate: 10 }, program);
});

const send = (method: string, path: string, body?: object) => service.request(method, `${program.path}${path}`, { key: program.key, body });
const get = async (path: string) => (await send('GET', path)).body;
const readSchedule = () => get('/payouts/schedule');
const listBatches = async () => (await get('/payouts/batches')).batches;
const tick = () => runPayoutSchedules.run(service.ctx, {}, { isLast: false });
const query = async (text: string) => (await service.pool.query(text, [program.programId])).rows;
const auditOf = (action: string) =>
  query(`select actor_kind, before, after from audit_log where program_id = $1 and action = '${action}' order by id`);
const emails = () =>
  query(`select to_address as to, subject, text_body as text from emails where program_id = $1 and kind = 'payout_schedule' order by id`);

/** Activates the schedule and moves the clock to its next payday. */
async function activate(settings: object = {}): Promise<void> {
  const { status, text } = await send('PATCH', '/payouts/schedule', { isActive: true, shift: 'none', ...settings });
  assert.equal(status, 200, text);
}
async function moveToPayday(): Promise<void> {
  const { next } = await readSchedule();
  service.clock.advance({ seconds: (Date.parse(next.startsAt) - service.clock.now().getTime()) / 1000 });
}
const earn = async (amountCents = 40_000) => {
  const { id } = await anAffiliate(service, { status: 'active' }, program);
  await anOrder(service, { affiliateId: id, amountCents }, program);
};
/** Sets the limit with the approval of another member. */
async function allow(scheduledPayoutLimitCents: number): Promise<void> {
  const { pendingChanges } = (await send('PATCH', '', { scheduledPayoutLimitCents })).body;
  const admin = await service.asMember('admin', { program });
  const { status, text } = await admin.request('POST', `${program.path}/setting-changes/${pendingChanges[0].id}/approve`, { body: {} });
  assert.equal(status, 200, text);
}

describe('the settings of a payout schedule', () => {
  test('are switched off at first, can be changed one by one, and are audited', async () => {
    const first = await readSchedule();
    assert.deepEqual(
      [first.isActive, first.frequency, first.dayOfMonth, first.hour, first.shift, first.holidays, first.next, first.last, first.updatedAt],
      [false, 'monthly', 1, 9, 'after', [], null, null, null],
    );
    const holidays = ['2026-12-25', '2026-01-01', '2026-12-25'];
    const changed = await send('PATCH', '/payouts/schedule', { isActive: true, frequency: 'weekly', dayOfWeek: 5, holidays });
    assert.deepEqual(
      [changed.status, changed.body.holidays, changed.body.next.period],
      [200, ['2026-01-01', '2026-12-25'], changed.body.next.period],
    );
    assert.deepEqual(await readSchedule(), changed.body);
    await send('PATCH', '/payouts/schedule', { dayOfWeek: 5 });
    const rows = await auditOf('payout_schedule.updated');
    assert.equal(rows.length, 1);
    assert.deepEqual(rows[0].after, { isActive: true, frequency: 'weekly', dayOfWeek: 5, holidays: ['2026-01-01', '2026-12-25'] });
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
        const { status, body } = await send('PATCH', '/payouts/schedule', { [field]: value });
        assert.deepEqual([status, body.details?.[0].path[0]], [400, field], JSON.stringify(value));
      }
      assert.equal((await readSchedule()).updatedAt, null);
    });

  test('say what the next batch would contain: also what matures until then, and whether it awaits approval', async () => {
    await send('PATCH', '', { holdDays: 5 });
    await earn(40_000);
    await activate();
    const { next, limitCents, currency } = await readSchedule();
    assert.deepEqual([next.affiliateCount, next.amountCents, next.needsApproval, next.blockedReason], [1, 4000, true, null]);
    assert.deepEqual([limitCents, currency, next.isAutomatic], [null, 'USD', false]);
    await allow(4000);
    assert.equal((await readSchedule()).next.needsApproval, false);
    await send('PATCH', '', { payoutApprovalCents: 3999 });
    assert.equal((await readSchedule()).next.needsApproval, true, 'the threshold of the program applies, too');
  });
});

describe('a payday', () => {
  test('prepares one batch of everything due, which awaits the approval of a member, and informs those who approve', async () => {
    await earn();
    await activate();
    await tick();
    assert.deepEqual(await listBatches(), [], 'before the payday');
    await moveToPayday();
    const { period } = (await readSchedule()).next;
    await tick();
    const [batch, ...others] = await listBatches();
    assert.deepEqual(
      [batch.status, batch.totalCents, batch.dispatchedBy, others],
      ['awaiting_approval', 4000, { kind: 'schedule', id: 'payouts.runSchedules' }, []],
    );
    const { last, next } = await readSchedule();
    assert.deepEqual([last.period, last.outcome, last.batchId, next.period > period], [period, 'dispatched', batch.id, true]);
    const [entry] = await auditOf('payout_schedule.ran');
    assert.deepEqual(entry, { actor_kind: 'schedule', before: null, after: { period, totalCents: 4000 } });
    const [email, ...more] = await emails();
    assert.deepEqual([email.to, more], [finance.email, []]);
    assert.match(email.subject, /A payout of \$40\.00 awaits approval$/);
    assert.match(email.text, new RegExp(`/console/${program.programId}/payouts/batches/${batch.id}`));
    assert.equal(
      (await send('POST', `/payouts/batches/${batch.id}/approve`, {})).body.code,
      'second_approver_required',
      'no API key approves',
    );
    // The session of the payday before has expired.
    const approver = await service.asMember('finance', { program });
    const approved = await approver.request('POST', `${program.path}/payouts/batches/${batch.id}/approve`, { body: {} });
    assert.deepEqual(
      [approved.status, approved.body.status, approved.body.approvedBy.id],
      [200, 'processing', approver.userId],
      approved.text,
    );
  });

  test('has one batch, whatever runs simultaneously, again, or after a change of the day', async () => {
    await earn();
    await activate();
    await moveToPayday();
    await Promise.all([tick(), tick(), runSchedule(service.ctx, program.programId), tick()]);
    await earn();
    await tick();
    const dayOfMonth = service.clock.now().getUTCDate() + 1;
    await activate({ dayOfMonth });
    service.clock.advance({ days: 2 });
    await tick();
    assert.equal((await listBatches()).length, 1);
    assert.equal((await emails()).length, 1);
    const insert = `insert into payout_schedule_runs (program_id, period, pay_on, outcome, started_at) select program_id, period, pay_on, 'skipped', started_at
      from payout_schedule_runs where program_id = $1`;
    await assert.rejects(query(insert), { constraint: 'payout_schedule_runs_pkey' });
  });

  test('that was missed is caught up once: three months without a run have one batch', async () => {
    await earn();
    await activate();
    service.clock.advance({ days: 95 });
    await tick();
    await tick();
    assert.equal((await listBatches()).length, 1);
    assert.equal((await query('select period from payout_schedule_runs where program_id = $1')).length, 1);
  });

  test('without anything due is over: what is earned later waits for the next one', async () => {
    await activate();
    await moveToPayday();
    await tick();
    assert.deepEqual([(await readSchedule()).last.outcome, await emails()], ['nothing_due', []]);
    await earn();
    await tick();
    assert.deepEqual(await listBatches(), []);
    await moveToPayday();
    await tick();
    assert.equal((await listBatches()).length, 1);
  });

  test('is not run while the schedule is switched off, or the program is about to be deleted', async () => {
    await earn();
    await activate();
    await send('PATCH', '/payouts/schedule', { isActive: false });
    service.clock.advance({ days: 40 });
    await tick();
    await activate();
    await tick();
    assert.deepEqual(await listBatches(), [], 'a payday before the activation is not caught up');
    await moveToPayday();
    await service.pool.query('update programs set deletion_requested_at = created_at, delete_after = created_at where id = $1', [
      program.programId,
    ]);
    await tick();
    await runSchedule(service.ctx, program.programId);
    assert.equal((await query('select from payout_batches where program_id = $1')).length, 0);
    await service.pool.query('update programs set deletion_requested_at = null, delete_after = null where id = $1', [program.programId]);
  });

  test('follows a changed time zone of the program', async () => {
    await activate({ hour: 9 });
    const before = (await readSchedule()).next.startsAt;
    await send('PATCH', '', { timezone: 'Asia/Tokyo' });
    await tick();
    const [{ at }] = await query('select next_run_at as at from payout_schedules where program_id = $1');
    assert.equal(Date.parse(before) - at.getTime(), 9 * 3_600_000);
    assert.equal((await readSchedule()).next.startsAt, at.toISOString());
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

describe('the limit for batches without an approval', () => {
  test('is set and raised by two people, or after 72 hours, even where nothing else is guarded; it is lowered immediately', async () => {
    const pending = async (scheduledPayoutLimitCents: number | null) => {
      const { body } = await send('PATCH', '', { scheduledPayoutLimitCents });
      return [body.scheduledPayoutLimitCents, body.pendingChanges.map(({ value }: { value: unknown }) => value)];
    };
    assert.deepEqual(await pending(5000), [null, [5000]]);
    const [{ id }] = (await get('')).pendingChanges;
    assert.equal((await send('POST', `/setting-changes/${id}/approve`, {})).body.code, 'second_approver_required');
    await allow(5000);
    assert.deepEqual(await pending(5001), [5000, [5001]]);
    assert.deepEqual(await pending(4000), [4000, []]);
    assert.deepEqual(await pending(6000), [4000, [6000]]);
    service.clock.advance({ days: 3, seconds: 1 });
    await applySettingChanges.run(service.ctx, {}, { isLast: false });
    assert.equal((await get('')).scheduledPayoutLimitCents, 6000);
    assert.deepEqual(await pending(null), [null, []]);
  });

  test('lets a batch of exactly this amount be sent without one, and no larger one', async () => {
    const rail = await aRail(service);
    rails.push(rail);
    await anExternalProvider(service, rail.url, program);
    const { id } = await aPayee(service, program);
    await allow(4000);
    await activate();
    await anOrder(service, { affiliateId: id, amountCents: 40_000 }, program);
    await moveToPayday();
    service.clock.advance({ days: 4 });
    await tick();
    while ((await service.drain()) > 0);
    assert.deepEqual(
      rail.payments().map(({ amountCents }) => amountCents),
      [4000],
    );
    assert.match((await emails())[0].subject, /Payouts of \$40\.00 are being sent$/);
    await anOrder(service, { affiliateId: id, amountCents: 40_010 }, program);
    await moveToPayday();
    await tick();
    while ((await service.drain()) > 0);
    assert.equal(rail.payments().length, 1);
    assert.equal((await listBatches())[0].status, 'awaiting_approval');
  });

  test('does not replace the second person that a large batch needs: not the member who changed the schedule', async () => {
    await send('PATCH', '', { payoutApprovalCents: 1000 });
    await allow(100_000);
    await earn();
    const set = await finance.request('PATCH', `${program.path}/payouts/schedule`, { body: { isActive: true } });
    assert.equal(set.status, 200, set.text);
    await moveToPayday();
    await tick();
    const [{ id, status }] = await listBatches();
    assert.equal(status, 'awaiting_approval');
    const path = `${program.path}/payouts/batches/${id}/approve`;
    const { cookie } = await service.signIn(finance.userId);
    const headers = { cookie, origin: 'http://api.test', 'tributary-program': program.programId };
    const own = await service.request('POST', path, { body: {}, headers, key: null });
    assert.equal(own.body.code, 'second_approver_required', own.text);
    const other = await service.asMember('finance', { program });
    assert.equal((await other.request('POST', path, { body: {} })).status, 200);
  });

  test('never lets a member whose role is new approve a batch', async () => {
    await earn();
    await activate();
    await moveToPayday();
    await tick();
    const [{ id }] = await listBatches();
    const fresh = await service.asMember('finance', { program, isNew: true });
    assert.equal(
      (await fresh.request('POST', `${program.path}/payouts/batches/${id}/approve`, { body: {} })).body.code,
      'second_approver_required',
    );
  });
});

describe('what prevents a batch', () => {
  test('leaves it to be caught up, once, and is reported once', async () => {
    const rail = await aRail(service);
    rails.push(rail);
    const providerId = await anExternalProvider(service, rail.url, program);
    const { id } = await aPayee(service, program);
    await anOrder(service, { affiliateId: id, amountCents: 40_000 }, program);
    await activate();
    await moveToPayday();
    service.clock.advance({ days: 4 });
    await send('PATCH', `/providers/${providerId}`, { status: 'disabled' });
    const { next } = await readSchedule();
    assert.deepEqual([next.blockedReason, next.affiliateCount], ['provider_unavailable', 0]);
    await tick();
    await tick();
    assert.deepEqual([await listBatches(), (await readSchedule()).next.startsAt], [[], next.startsAt]);
    assert.deepEqual(
      (await auditOf('payout_schedule.blocked')).map(({ after }) => after),
      [{ period: next.period, reason: 'provider_unavailable' }],
    );
    assert.match((await emails())[0].text, /provider is disabled/);
    const enabled = await send('PATCH', `/providers/${providerId}`, { status: 'connected' });
    assert.equal(enabled.status, 200, enabled.text);
    await tick();
    await tick();
    assert.equal((await listBatches()).length, 1, JSON.stringify(await readSchedule()));
  });

  test('includes a lock of payouts, which the run stores', async () => {
    await earn();
    await activate();
    await moveToPayday();
    await service.pool.query(`update payout_safety set lock_reason = 'clock_changed', locked_at = seen_at where program_id = $1`, [
      program.programId,
    ]);
    assert.equal((await readSchedule()).next.blockedReason, 'payouts_locked');
    await tick();
    assert.deepEqual(
      (await auditOf('payout_schedule.blocked')).map(({ after }) => after.reason),
      ['payouts_locked'],
    );
    assert.equal((await send('POST', '/payouts/reconcile', { acknowledge: true })).body.isUnlocked, true);
    await tick();
    assert.equal((await listBatches()).length, 1);
  });
});

describe('after a backup was restored', () => {
  /** A database has another identity after it was restored. */
  const restore = () =>
    service.pool.query(`update payout_schedules set database_identity = 'former' where program_id = $1`, [program.programId]);

  test('a payday that had passed is skipped, because it may have been paid, and is reported', async () => {
    await earn();
    await activate();
    await moveToPayday();
    const { period } = (await readSchedule()).next;
    await restore();
    await tick();
    await tick();
    assert.deepEqual(await listBatches(), []);
    const { last, next } = await readSchedule();
    assert.deepEqual([last.period, last.outcome, next.period > period], [period, 'skipped', true]);
    assert.equal((await auditOf('payout_schedule.skipped')).length, 1);
    assert.deepEqual(
      (await emails()).map(({ subject }) => subject.replace(/^.*: /, '')),
      ['The scheduled payouts were skipped'],
    );
    await moveToPayday();
    await tick();
    assert.equal((await listBatches()).length, 1, 'the next one pays what is due');
  });

  test('a later payday is not skipped, because the restored database is noticed before it', async () => {
    await earn();
    await activate();
    await restore();
    await tick();
    await moveToPayday();
    await tick();
    assert.equal((await listBatches()).length, 1);
  });
});
