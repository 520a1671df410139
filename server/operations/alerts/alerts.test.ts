// Every alert is seen to open under its real condition, to be announced once, and to be resolved when the condition ends.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { aSender, closeSender } from '../../../test/support/payees.ts';
import { aStore } from '../../../test/support/stores/stores.ts';
import { smtpMailer } from '../../messaging/emails/mailer.ts';
import { sendEmail } from '../../messaging/emails/send.ts';
import { lockProgram, unlockProgram } from '../../paying/payouts/lock.ts';
import { followUp } from '../../paying/payouts/send/follow-up.ts';
import { transact } from '../../platform/db/transact.ts';
import { watchStores } from '../../stores/commerce/watch-stores.ts';
import { checkInvariants } from '../verify/invariants.ts';
import { watchInvariants } from '../verify/watch.ts';
import { watchAlerts } from './watch.ts';

const once = { isLast: true };

let service: TestService;
before(async () => {
  service = await openTestService({ environment: { ALERT_EMAIL: 'operators@example.com' } });
  await service.asMember('owner');
  await service.asMember('viewer');
});
after(() => service.close());

const watch = () => watchAlerts.run(service.ctx, {}, once);
const list = async (query = '', { path, key } = service.program) =>
  (await service.request('GET', `${path}/alerts${query}`, { key })).body.alerts;
/** The recipients of the emails about the newest alert of a kind. */
const recipients = async (kind: string) => {
  const { rows } = await service.pool.query(
    `select to_address from emails join audit_log on audit_log.id = emails.audit_id join alerts on alerts.id = audit_log.subject_id
     where emails.kind = 'alert' and alerts.kind = $1 order by to_address`,
    [kind],
  );
  return rows.map((row) => String(row.to_address).replace(/^.*owner.*$/, 'owner'));
};
// From the table: another test's open transaction delays the readers of the log.
const eventsAbout = async (id: string) => {
  const { rows } = await service.pool.query<{ type: string }>('select type from events where object_id = $1', [id]);
  return rows.map(({ type }) => type).sort();
};
const attention = async () => {
  const owner = await service.asMember('owner');
  const { body } = await owner.request('GET', `/app/programs/${service.program.programId}/overview`);
  return body.attention.map((item: { kind: string }) => item.kind);
};

describe('an alert opens once, is emailed to those who can act, and is resolved', () => {
  test('payouts are locked', async () => {
    const { programId } = service.program;
    await watch();
    assert.deepEqual(await list(), []);
    await transact(service.ctx, (tx) => lockProgram(tx, programId, 'open_discrepancies'));
    await Promise.all([watch(), watch(), watch()]);
    const [alert, ...others] = await list();
    assert.deepEqual(others, []);
    assert.deepEqual([alert.kind, alert.status, alert.resolvedAt], ['payouts_locked', 'open', null]);
    assert.equal(alert.reason, "Payouts are locked: the payouts differ from the provider's records.");
    assert.deepEqual(await recipients('payouts_locked'), ['operators@example.com', 'owner']);
    assert.ok((await attention()).includes('payouts_locked'));
    await transact(service.ctx, (tx) => unlockProgram(tx, programId));
    await watch();
    const [resolved] = await list('?status=resolved');
    assert.equal(resolved.id, alert.id);
    assert.equal((await service.request('GET', `${service.program.path}/alerts/${alert.id}`)).body.status, 'resolved');
    assert.deepEqual(await eventsAbout(alert.id), ['alert.opened', 'alert.resolved']);
    assert.ok(!(await attention()).includes('payouts_locked'));
  });

  test('a condition that comes and goes opens another alert, but is not emailed again for hours', async () => {
    const { programId } = service.program;
    const sent = (await recipients('payouts_locked')).length;
    const lock = () => transact(service.ctx, (tx) => lockProgram(tx, programId, 'clock_changed'));
    await lock();
    await watch();
    assert.equal((await list('?kind=payouts_locked&status=open')).length, 1);
    assert.equal((await recipients('payouts_locked')).length, sent);
    await transact(service.ctx, (tx) => unlockProgram(tx, programId));
    await watch();
    service.clock.advance({ days: 1 });
    await lock();
    await watch();
    assert.ok((await recipients('payouts_locked')).length > sent);
    await transact(service.ctx, (tx) => unlockProgram(tx, programId));
    await watch();
    assert.deepEqual(await list('?status=open'), []);
  });

  test('an invariant is violated', async () => {
    await anAffiliate(service, { status: 'active' });
    const corrupt = (count: number) =>
      service.pool.query(
        `update affiliate_counts set affiliates = affiliates + $2
        where program_id = $1 and status = 'active'`,
        [service.program.programId, count],
      );
    await corrupt(1);
    await watchInvariants.run(service.ctx, {}, once);
    const [alert, ...others] = await list('?status=open');
    assert.deepEqual(others, []);
    assert.equal(alert.kind, 'invariant_broken');
    assert.match(alert.reason, /^Violated by one row: affiliate counts per status equal/);
    assert.deepEqual(await list('', service.foreign), [], 'of the program whose row it is');
    assert.deepEqual(await recipients('invariant_broken'), ['operators@example.com', 'owner', 'owner', 'owner']);
    await corrupt(-1);
    await watchInvariants.run(service.ctx, {}, once);
    assert.deepEqual(await list('?status=open'), []);
    assert.deepEqual(
      (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0),
      [],
    );
  });

  test('a missing unique index concerns every program; operators receive one email', async () => {
    await service.pool.query('alter table disputes drop constraint disputes_external_id_unique');
    await watchInvariants.run(service.ctx, {}, once);
    assert.equal((await list('?status=open')).length, 1);
    assert.equal((await list('?status=open', service.foreign)).length, 1);
    const operators = (await recipients('invariant_broken')).filter((to) => to === 'operators@example.com');
    assert.equal(operators.length, 1, 'less than an hour after the last alert of the kind');
    await service.pool.query('alter table disputes add constraint disputes_external_id_unique unique (program_id, external_id)');
    await watchInvariants.run(service.ctx, {}, once);
    assert.deepEqual([...(await list('?status=open')), ...(await list('?status=open', service.foreign))], []);
  });

  test('a store stops sending orders', async () => {
    await aRule(service);
    const store = await aStore(service, 'generic');
    const { referralCode } = await anAffiliate(service, { status: 'active' });
    const order = async (id: string) => {
      const occurredAt = service.clock.now().toISOString();
      const body = { orderId: id, amountCents: 1000, occurredAt, referralCode };
      assert.equal((await store.send({ id, topic: 'order.paid', body })).status, 200);
      await service.drain();
    };
    const check = async () => {
      await watchStores.run(service.ctx, {}, once);
      await watch();
      return list('?status=open');
    };
    for (let index = 0; index < 12; index += 1) {
      await order(`regular-${index}`);
      service.clock.advance({ seconds: 3600 });
    }
    assert.deepEqual(await check(), []);
    service.clock.advance({ seconds: 30 * 3600 });
    const [alert] = await check();
    assert.deepEqual([alert.kind, alert.subjectId], ['provider_failing', store.id]);
    assert.match(alert.reason, /^No orders for 3\d hours; usually one every 6\d minutes\.$/);
    assert.ok((await recipients('provider_failing')).includes('owner'));
    service.clock.advance({ seconds: 3600 });
    const [later] = await check();
    assert.equal(later.id, alert.id);
    assert.notEqual(later.reason, alert.reason, 'the reason follows');
    await order('again');
    assert.deepEqual(await check(), []);
  });

  test('the mail server rejects every email', async (t) => {
    let isBroken = true;
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, _session, done) {
        stream.resume();
        stream.on('end', () => done(isBroken ? new Error('554 no mail today') : null));
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.server.address();
    const mailer = smtpMailer(`smtp://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`);
    t.after(async () => {
      mailer.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    });
    const send = async (email: string) => {
      await anAffiliate(service, { email, sendInvite: true });
      const { rows } = await service.pool.query('select program_id, id from emails where to_address = $1', [email]);
      await sendEmail
        .run({ ...service.ctx, mailer }, { programId: rows[0].program_id, emailId: rows[0].id }, once)
        .catch((error: unknown) => assert.match(String(error), /no mail today/));
      service.clock.advance({ seconds: 60 });
      await watch();
      return list('?status=open');
    };
    assert.deepEqual(await send('one@example.com'), []);
    assert.deepEqual(await send('two@example.com'), []);
    const [alert] = await send('three@example.com');
    assert.equal(alert.kind, 'emails_failing');
    assert.match(alert.reason, /^Emails to 3 addresses in a row were not delivered\. The last answer: .*554/);
    assert.ok((await attention()).includes('emails_failing'));
    assert.deepEqual(await eventsAbout(alert.id), ['alert.opened']);
    isBroken = false;
    assert.deepEqual(await send('four@example.com'), []);
  });
});

test('a payout whose outcome is unknown for an hour opens an alert until it is known', async (t) => {
  const { program, rail, ada, send, providerId } = await aSender(service);
  t.after(() => closeSender(service, { rail }));
  rail.setMode(() => 'fail_before');
  await anOrder(service, { affiliateId: ada.id, amountCents: 100_000 }, program);
  service.clock.advance({ days: 31 });
  assert.equal((await send('POST', 'payouts/dispatch', {})).status, 201);
  await service.drain();
  await send('PATCH', `providers/${providerId}`, { status: 'disabled' });
  const open = () => list('?status=open&kind=payouts_unknown', program);
  await watch();
  assert.deepEqual(await open(), []);
  service.clock.advance({ seconds: 3700 });
  await watch();
  assert.equal((await open())[0]?.reason, 'The outcome of a payout has been unknown for more than an hour.');
  rail.setMode(() => 'pay');
  await send('PATCH', `providers/${providerId}`, { status: 'connected' });
  service.clock.advance({ seconds: 3700 });
  await followUp(service.ctx, program.programId);
  await watch();
  const [still] = await open();
  const { body } = await send('GET', 'payouts');
  assert.equal(still === undefined, body.payouts[0].status !== 'reconcile_required');
  await send('POST', `payouts/${body.payouts[0].id}/mark-paid`, {});
  await watch();
  assert.deepEqual(await open(), []);
});
