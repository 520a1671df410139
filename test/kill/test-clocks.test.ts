// A process is killed while it advances a test clock: another one continues within a minute, and the advance ends at its time.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { anAffiliate, aRule } from '../support/builders.ts';
import { cloneDatabase, openTestService, type TestService } from '../support/harness.ts';
import type { AdvanceWorkerOptions } from '../support/test-clocks/advance-worker.ts';
import { openSandbox, type Sandbox } from '../support/test-clocks/sandbox.ts';
import { until } from '../support/time/wait.ts';

const vaultKey = randomBytes(32);
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let service: TestService;
const running = new Set<ChildProcess>();

before(async () => {
  database = await cloneDatabase();
  service = await openTestService({ database: database.connection, vaultKey });
});
after(async () => {
  for (const child of running) child.kill('SIGKILL');
  await service.close();
  await database.drop();
});

async function startWorker(): Promise<ChildProcess> {
  const { host, port, user, database: name } = database.connection;
  const connection = { host: String(host), port: Number(port), user: String(user), database: String(name) };
  const options: AdvanceWorkerOptions = { connection, vaultKey: vaultKey.toString('base64'), now: service.clock.now().getTime() };
  const child = spawn(process.execPath, ['test/support/test-clocks/advance-worker.ts', JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  await once(child.stdout, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
  running.delete(child);
}

const readClock = async (sandbox: Sandbox) => (await sandbox.call('GET', '/test-clock')).body;

test('an advance whose process is killed continues in another one within a minute', { timeout: 180_000 }, async () => {
  const sandbox = await openSandbox(service, 'Killed');
  await aRule(service, { rate: 10 }, sandbox);
  const { id } = await anAffiliate(service, { autoApprove: true }, sandbox);
  // Coupons are looked at each day, so that the advance has many steps.
  const coupon = await sandbox.call('POST', '/coupons', { code: 'SAVE10', affiliateId: id });
  assert.equal(coupon.status, 201, coupon.text);
  const started = await sandbox.call('POST', '/test-clock/advance', { days: 200 });
  assert.equal(started.status, 200, started.text);
  const first = await startWorker();
  await until('the clock moves', async () => (await readClock(sandbox)).aheadSeconds > 0);
  await kill(first);
  const { aheadSeconds, status } = await readClock(sandbox);
  assert.equal(status, 'advancing', 'the process was killed before the advance had ended');
  const killedAt = performance.now();
  await startWorker();
  await until('the clock moves on', async () => (await readClock(sandbox)).aheadSeconds > aheadSeconds);
  const seconds = (performance.now() - killedAt) / 1000;
  console.log(`  continued ${seconds.toFixed(0)} s after the kill`);
  assert.ok(seconds < 60, `${seconds} s`);
  await until('the clock is ready', async () => (await readClock(sandbox)).status === 'ready', 120_000);
  assert.equal((await readClock(sandbox)).aheadSeconds, 200 * 86_400);
});
