// Members are emailed about what they chose: at once or each morning, about every event once.
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { updateAlerts } from '../alerts/update.ts';
import { numberAllEvents } from '../events/number.ts';
import { notifyAtOnce, notifyDaily, sendDailyNotifications, sendNotifications } from './send.ts';

const service: TestService = await openTestService();
after(() => service.close());

let program: TestProgram;
let dana: TestMember;
let serial = 0;

const settings = () => `/app/programs/${program.programId}/notification-settings`;
const choose = async (notifications: object[], member = dana) => {
  const { status, body, text } = await member.request('PATCH', settings(), { body: { notifications } });
  assert.equal(status, 200, text);
  return body.notifications as { kind: string; delivery: string; canAct: boolean }[];
};
const notify = async () => {
  await notifyAtOnce(program.programId, service.ctx);
  await notifyDaily(program.programId, service.ctx);
};
const emails = async () => {
  const { rows } = await service.pool.query(
    `select to_address, subject, text_body from emails where program_id = $1 and kind = 'notifications' order by created_at, subject`,
    [program.programId],
  );
  return rows;
};
const submitPage = async (slug: string) => {
  const { id } = await anAffiliate(service, { status: 'active', firstName: 'Ada', lastName: slug }, program);
  const body = { affiliateId: id, pageTitle: 'Mine' };
  const written = await service.request('POST', `${program.path}/landing-pages/${slug}`, { key: program.key, body });
  assert.equal(written.status, 201, written.text);
};

beforeEach(async () => {
  serial += 1;
  program = await service.newProgram(`Notified ${serial}`);
  dana = await service.asMember('reviewer', { program });
  await aRule(service, { rate: 10 }, program);
  await notify();
});

describe('notifications', () => {
  test('are off for decisions until a member chooses them, and only offered to those who can act', async () => {
    const { body } = await dana.request('GET', settings());
    const offered = body.notifications.filter(({ canAct }: { canAct: boolean }) => canAct);
    assert.deepEqual(
      offered.map(({ kind, delivery }: { kind: string; delivery: string }) => [kind, delivery]),
      [
        ['application', 'off'],
        ['page', 'off'],
        ['content', 'off'],
        ['fraud_alert', 'off'],
      ],
    );
    await submitPage('zoe');
    await notify();
    assert.deepEqual(await emails(), []);
  });

  test('about what is new are one email at once, and none when the job is repeated or runs twice', async () => {
    await choose([
      { kind: 'page', delivery: 'at_once' },
      { kind: 'fraud_alert', delivery: 'at_once' },
    ]);
    await submitPage('zoe');
    await submitPage('leo');
    await Promise.all([notify(), notify(), notify()]);
    await notify();
    const [email, ...others] = await emails();
    assert.deepEqual([email.to_address, email.subject, others], [dana.email, `Notified ${serial}: 2 things need your attention`, []]);
    assert.match(email.text_body, /Page to review: Ada zoe[\s\S]*Page to review: Ada leo/);
    const own = await anAffiliate(service, { status: 'active', email: 'own@example.com' }, program);
    await anOrder(service, { affiliateId: own.id, amountCents: 5000, customer: { email: 'own@example.com' } }, program);
    await notify();
    assert.match((await emails())[1].subject, /Fraud alert/);
  });

  test('are one email each morning if the member wants them daily', async () => {
    await choose([{ kind: 'page', delivery: 'daily' }]);
    await submitPage('zoe');
    await notify();
    assert.deepEqual(await emails(), []);
    service.clock.advance({ days: 1 });
    await Promise.all([notify(), notify()]);
    service.clock.advance({ minutes: 5 });
    await notify();
    const written = await emails();
    assert.deepEqual(
      written.map(({ subject }) => subject),
      [`Notified ${serial}: Page to review: Ada zoe`],
    );
    assert.match(written[0].text_body, /Your daily summary/);
  });

  test('about what happens later in the day wait for the next morning', async () => {
    await choose([{ kind: 'page', delivery: 'daily' }]);
    const minuteOfDay = (service.clock.now().getTime() / 60_000) % (24 * 60);
    service.clock.advance({ minutes: Math.ceil(39 * 60 - minuteOfDay) });
    await submitPage('zoe');
    await numberAllEvents(service.ctx);
    const runJobs = async () => {
      await sendNotifications.run(service.ctx, {}, { isLast: true });
      await sendDailyNotifications.run(service.ctx, {}, { isLast: true });
    };
    const written = [];
    for (const minutes of [1, 14 * 60, 2 * 60, 15]) {
      service.clock.advance({ minutes });
      await runJobs();
      written.push((await emails()).length);
    }
    assert.deepEqual(written, [0, 0, 1, 1]);
  });

  test('about failing connections follow the choice of each member', async () => {
    const owner = await service.asMember('owner', { program });
    const other = await service.asMember('owner', { program });
    await choose([{ kind: 'connection', delivery: 'off' }], owner);
    const condition = { programId: program.programId, subject: other.userId, name: 'Shopify', reason: 'No orders.' };
    await updateAlerts(service.ctx, 'provider_failing', { conditions: [condition], scope: sql`program_id = ${program.programId}` });
    const { rows } = await service.pool.query(`select to_address from emails where program_id = $1 and kind = 'alert'`, [
      program.programId,
    ]);
    assert.deepEqual(rows, [{ to_address: other.email }]);
    await notify();
    assert.deepEqual(await emails(), []);
  });

  test('about orders name those from the amount that the program set, and none without it', async () => {
    const owner = await service.asMember('owner', { program });
    await choose([{ kind: 'large_order', delivery: 'at_once' }], owner);
    const { id: affiliateId } = await anAffiliate(service, { status: 'active', firstName: 'Ada', lastName: 'Lin' }, program);
    await anOrder(service, { affiliateId, amountCents: 90_000 }, program);
    await notify();
    assert.deepEqual(await emails(), []);
    const invalid = await owner.request('PATCH', program.path, { body: { largeOrderCents: 0 } });
    assert.deepEqual(invalid.body.details, [{ path: ['largeOrderCents'], message: 'must be at least 1' }]);
    const set = await owner.request('PATCH', program.path, { body: { largeOrderCents: 50_000 } });
    assert.equal(set.body.largeOrderCents, 50_000);
    await anOrder(service, { affiliateId, amountCents: 49_999 }, program);
    await anOrder(service, { affiliateId, amountCents: 50_000 }, program);
    await notify();
    assert.deepEqual(
      (await emails()).map(({ to_address, subject }) => [to_address, subject]),
      [[owner.email, `Notified ${serial}: Large order: $500.00 · Ada Lin`]],
    );
  });

  test('about payout batches say when one awaits approval, is sent or has failed payouts', async () => {
    const finance = await service.asMember('finance', { program });
    await choose(
      [
        { kind: 'payout_sent', delivery: 'at_once' },
        { kind: 'payout_batch_failed', delivery: 'at_once' },
        { kind: 'payout_failed', delivery: 'off' },
      ],
      finance,
    );
    const send = (method: string, path: string, body: object = {}) =>
      service.request(method, `${program.path}${path}`, { key: program.key, body });
    await send('PATCH', '', { holdDays: 0, minimumPayoutCents: 0, payoutApprovalCents: 1000 });
    const pay = async () => {
      const { id: affiliateId } = await anAffiliate(service, { status: 'active' }, program);
      await anOrder(service, { affiliateId, amountCents: 20_000 }, program);
      const { status, body, text } = await send('POST', '/payouts/dispatch');
      assert.equal(status, 201, text);
      return body;
    };
    const subjects = async () => (await emails()).filter(({ to_address }) => to_address === finance.email).map(({ subject }) => subject);
    const { batch, payouts } = await pay();
    await notify();
    const approver = await service.asMember('admin', { program });
    const approved = await approver.request('POST', `${program.path}/payouts/batches/${batch.id}/approve`, { body: {} });
    assert.equal(approved.status, 200, approved.text);
    await notify();
    const cancelled = await send('POST', `/payouts/${payouts[0].id}/cancel`, { note: 'Wrong account.' });
    assert.equal(cancelled.status, 200, cancelled.text);
    await notify();
    const of = (title: string) => `Notified ${serial}: ${title}: $20.00`;
    assert.deepEqual(await subjects(), [
      of('A payout batch awaits approval'),
      of('A payout batch was sent'),
      of('Payouts of a batch failed'),
    ]);
    const { rows } = await service.pool.query(
      `select type, data ->> 'status' as status from events where program_id = $1 and object_type = 'payoutBatch' order by position`,
      [program.programId],
    );
    assert.deepEqual(rows, [
      { type: 'payoutBatch.created', status: 'awaiting_approval' },
      { type: 'payoutBatch.approved', status: 'processing' },
      { type: 'payoutBatch.completed', status: 'failed' },
    ]);
  });

  test('changes are audited', async () => {
    await choose([{ kind: 'page', delivery: 'daily' }]);
    const { rows } = await service.pool.query(
      `select before, after from audit_log where program_id = $1 and action = 'notifications.updated'`,
      [program.programId],
    );
    assert.deepEqual(rows, [{ before: { page: 'off' }, after: { page: 'daily' } }]);
  });
});
