// While the service is frozen, real processes send no payout, webhook or email about business. Afterwards everything is sent,
// once. Emails for signing in and about security are not stopped.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { anAffiliate, anOrder } from '../../../test/support/builders.ts';
import { cloneDatabase, openTestService, type TestService } from '../../../test/support/harness.ts';
import { aPayee, aSender, type Sender } from '../../../test/support/payees.ts';
import type { WorkerOptions } from '../../../test/support/payout-worker.ts';
import { isLong } from '../../../test/support/time/length.ts';
import { elapse, holdsFor, until } from '../../../test/support/time/wait.ts';
import { openWebhookReceiver, type WebhookReceiver } from '../../../test/support/webhooks/receiver.ts';
import { transact } from '../db/transact.ts';
import { freezeService, isFrozen, unfreezeService } from './freeze.ts';

/** How long after a freeze a process may still send. The promise is 1; more for machines that are shared. */
const noticeMs = isLong ? 1000 : 3000;
const quietMs = 1500;
/** A process sends 16 payouts concurrently, and waits for the responses before it sends more. */
const [payees, slowMs] = [20, 3000];

const vaultKey = randomBytes(32);
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let service: TestService;
let receiver: WebhookReceiver;
let senders: Sender[];
const running: ChildProcess[] = [];

before(async () => {
  database = await cloneDatabase();
  [service, receiver] = await Promise.all([openTestService({ database: database.connection, vaultKey }), openWebhookReceiver()]);
  receiver.answer((_, response) => {
    lastSentAt = performance.now();
    void elapse(1000).then(() => response.writeHead(200).end('ok'));
  });
  senders = [await aSender(service, { slowMs }), await aSender(service, { slowMs })];
});
after(async () => {
  for (const child of running) child.kill('SIGKILL');
  receiver.close();
  for (const { rail } of senders) await rail.close();
  await service.close();
  await database.drop();
});

async function start(script: string, options: object): Promise<void> {
  const child = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(child);
  await once(child.stdout as NodeJS.EventEmitter, 'data');
}

/** Queues a payout to each of many affiliates, and as many webhook deliveries. */
async function queueAll(): Promise<void> {
  for (const [index, { program, rail, send }] of senders.entries()) {
    rail.setMode(() => {
      requested[index] = (requested[index] ?? 0) + 1;
      lastSentAt = performance.now();
      return 'slow';
    });
    const body = { url: receiver.url('/events'), eventTypes: ['payout.created'] };
    assert.equal((await send('POST', 'webhooks', body)).status, 201);
    for (let count = 0; count < payees; count += 1) {
      const { id } = await aPayee(service, program);
      await anOrder(service, { affiliateId: id, amountCents: 100_000 }, program);
    }
  }
  service.clock.advance({ days: 31 });
  for (const { send } of senders) assert.equal((await send('POST', 'payouts/dispatch', {})).status, 201);
}

const connection = () => ({ connection: database.connection, vaultKey: vaultKey.toString('base64') });
const freeze = (note: string | null = null) => transact(service.ctx, (tx) => freezeService(tx, { frozenBy: 'test', note }));
const unfreeze = () => transact(service.ctx, unfreezeService);
const paid = () => senders.map(({ rail }) => rail.payments().length);
/** Payments that were requested, when the request arrived: the provider pays later. */
const requested = [0, 0];
/** When the last payment was requested or the last webhook arrived. */
let lastSentAt = 0;
const sentBy = () => [...requested, receiver.received.length];

test('two processes that send payouts, and one that sends webhooks stop immediately and continue afterwards', async () => {
  await queueAll();
  await freeze();
  for (const { program } of senders) {
    const time = { from: service.clock.now().getTime(), startedAt: Date.now(), speed: 1 };
    const options: WorkerOptions = { ...connection(), programId: program.programId, time, callTimeoutMs: 60_000 };
    await start('test/support/payout-worker.ts', options);
  }
  await start('test/support/webhooks/worker.ts', connection());
  await holdsFor(quietMs, 'nothing is sent by processes that start', () => sentBy().every((count) => count === 0));
  await unfreeze();
  await until('each process sends', () => sentBy().every((count) => count > 0));
  await freeze();
  const frozenAt = performance.now();
  await holdsFor(noticeMs + slowMs + quietMs, 'nothing is sent after the processes noticed', () => lastSentAt - frozenAt <= noticeMs);
  const frozen = sentBy();
  assert.ok(
    requested.every((count) => count < payees),
    `payouts were in progress: ${frozen}`,
  );
  assert.ok(receiver.received.length < 2 * payees, `webhooks were in progress: ${frozen}`);
  assert.equal(await freeze(), false, 'once');
  assert.equal((await service.request('GET', `${service.program.path}/affiliates`)).status, 200);
  await anOrder(service, { affiliateId: senders[0]?.ada.id ?? '', amountCents: 1000 }, senders[0]?.program);
  assert.equal(await unfreeze(), true);
  await until('every payout is paid', () => paid().every((count) => count === payees));
  await until('every webhook is delivered', () => receiver.received.length >= 2 * payees);
  for (const { rail } of senders) assert.equal(new Set(rail.payments().map(({ paymentId }) => paymentId)).size, payees, 'once each');
});

test('emails stay queued, and are sent after the freeze', async () => {
  await freeze('Checking the mail server.');
  await anAffiliate(service, { email: 'frozen@example.com', sendInvite: true });
  const status = async () => (await service.pool.query(`select status from emails where to_address = 'frozen@example.com'`)).rows[0].status;
  const queued = async () => {
    await service.relay();
    const { rows } = await service.pool.query(
      `select count(*)::int as count from pgboss.job join emails on emails.id::text = data ->> 'emailId'
       where job.name = 'emails.send' and state = 'created' and start_after > now() and to_address = 'frozen@example.com'`,
    );
    return rows[0].count;
  };
  await service.drain();
  const sent = () => service.mails.filter(({ to }) => to === 'frozen@example.com').length;
  assert.deepEqual([await status(), sent()], ['queued', 0]);
  assert.equal(await queued(), 1);
  await unfreeze();
  await until('the end of the freeze is noticed', async () => !(await isFrozen(service.ctx)));
  await service.pool.query(`update pgboss.job set start_after = now() where name = 'emails.send' and state = 'created'`);
  await service.drain();
  assert.deepEqual([await status(), sent()], ['sent', 1]);
});

test('emails for signing in and about security are sent during the freeze', async () => {
  const { ada, program } = senders[0] ?? assert.fail();
  const { rows } = await service.pool.query('select email from affiliates where id = $1', [ada.id]);
  const address: string = rows[0].email;
  await service.asAffiliate({ id: ada.id, email: address }, program);
  await freeze();
  const before = service.mails.length;
  const headers = { origin: 'http://api.test' };
  const asked = await service.request('POST', '/app/sign-in', { key: null, body: { email: address }, headers });
  assert.ok(asked.status < 300, asked.text);
  const path = `${program.path}/affiliates/${ada.id}/payout-details`;
  const changed = await service.request('POST', path, { body: { method: 'external', account: 'another' }, key: program.key });
  assert.ok(changed.status < 300, changed.text);
  await service.drain();
  const sent = service.mails.slice(before).map(({ to, subject }) => [to, subject]);
  assert.equal(sent.filter(([to]) => to === address).length, 2, JSON.stringify(sent));
  await unfreeze();
});
