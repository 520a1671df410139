// A process is killed while it calls a payout provider: its payout is looked up within seconds, not after the lease, and
// paid once according to the provider's records.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { after, afterEach, before, test } from 'node:test';
import { followUpEndedClaims } from '../../server/paying/payouts/send/watch-claims.ts';
import { acquireProcessLock } from '../../server/platform/db/process-lock.ts';
import { anOrder } from '../support/builders.ts';
import { cloneDatabase, openTestService, type TestService } from '../support/harness.ts';
import { aSender, closeSender, type Sender } from '../support/payees.ts';
import type { WorkerOptions } from '../support/payout-worker.ts';
import { until } from '../support/time/wait.ts';

const vaultKey = randomBytes(32);
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let service: TestService;
const running: ChildProcess[] = [];

before(async () => {
  database = await cloneDatabase();
  service = await openTestService({ database: database.connection, vaultKey });
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});
after(async () => {
  await service.close();
  await database.drop();
});

/** Dispatches a payout and kills the process that sends it. */
async function killDuringPayout(mode: 'pay_then_hang' | 'hang_then_pay'): Promise<{ sender: Sender; id: string }> {
  const sender = await aSender(service);
  await anOrder(service, { affiliateId: sender.ada.id, amountCents: 100_000 }, sender.program);
  service.clock.advance({ days: 31 });
  sender.rail.setMode(mode);
  const { body } = await sender.send('POST', 'payouts/dispatch', {});
  const id = body.payouts[0].id;
  const options: WorkerOptions = {
    connection: database.connection,
    vaultKey: vaultKey.toString('base64'),
    programId: sender.program.programId,
    time: { from: service.clock.now().getTime(), startedAt: Date.now(), speed: 1 },
    callTimeoutMs: 60_000,
  };
  const child = spawn(process.execPath, ['test/support/payout-worker.ts', JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  await once(child.stdout as NodeJS.EventEmitter, 'data');
  const calls = sender.rail.asked();
  await until('the payout is being sent', async () => (await statusOf(sender, id)) === 'sending' && sender.rail.asked() > calls);
  assert.equal(await followUpEndedClaims(service.ctx), 0, 'the claim of a running process does not change');
  child.kill('SIGKILL');
  await once(child, 'exit');
  return { sender, id };
}

const statusOf = async ({ send }: Sender, id: string) => (await send('GET', `payouts/${id}`)).body.status;

async function followUntilFound(): Promise<void> {
  await until('the claim is released', async () => (await followUpEndedClaims(service.ctx)) > 0, 5000);
}

test('a payment that the provider made is found as paid and never sent again', async () => {
  const { sender, id } = await killDuringPayout('pay_then_hang');
  sender.rail.setMode('pay');
  await followUntilFound();
  assert.equal(await statusOf(sender, id), 'paid');
  assert.deepEqual(
    sender.rail.payments().map(({ paymentId }) => paymentId),
    [id],
  );
  await closeSender(service, sender);
});

test('a payment that the provider does not know is sent again under the same key and paid once', async () => {
  const { sender, id } = await killDuringPayout('hang_then_pay');
  sender.rail.setMode('pay');
  await followUntilFound();
  assert.equal(await statusOf(sender, id), 'paid');
  sender.rail.settle();
  assert.deepEqual(
    sender.rail.payments().map(({ paymentId }) => paymentId),
    [id],
  );
  await closeSender(service, sender);
});

test('a payment whose outcome cannot be found stays unknown and is not sent again', async () => {
  const { sender, id } = await killDuringPayout('hang_then_pay');
  sender.rail.setMode('garbage');
  await sender.rail.close();
  await followUntilFound();
  assert.equal(await statusOf(sender, id), 'reconcile_required');
  assert.equal(sender.rail.payments().length, 0);
});

test('a process that lost its connection acquires a new process lock with another id', async () => {
  const processLock = await acquireProcessLock(database.connection);
  const first = processLock.id();
  assert.ok(first);
  await service.pool.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = $1::integer::oid and classid = 1953656946`,
    [first],
  );
  await until('there is another lock', () => processLock.id() !== null && processLock.id() !== first);
  const second = processLock.id();
  await processLock.close();
  // Other tests use the same server at the same time.
  const { rowCount } = await service.pool.query(
    `select from pg_locks where locktype = 'advisory' and classid = 1953656946 and objid = $1::integer::oid`,
    [second],
  );
  assert.equal(rowCount, 0);
});
