// A process is killed while it advances a test clock: another one continues within a minute, and the advance ends at its time.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { advanceJobName } from '../../server/platform/test-clocks/write-clock.ts';
import { anAffiliate, aRule } from '../support/builders.ts';
import { type JobWorkers, openJobWorkers } from '../support/crash/job-workers.ts';
import { openSandbox, type Sandbox } from '../support/test-clocks/sandbox.ts';
import { until } from '../support/time/wait.ts';

let workers: JobWorkers;

before(async () => {
  workers = await openJobWorkers(advanceJobName);
});
after(() => workers?.close());

const readClock = async (sandbox: Sandbox) => (await sandbox.call('GET', '/test-clock')).body;

test('an advance whose process is killed continues in another one within a minute', { timeout: 180_000 }, async () => {
  const sandbox = await openSandbox(workers.service, 'Killed');
  await aRule(workers.service, { rate: 10 }, sandbox);
  const { id } = await anAffiliate(workers.service, { autoApprove: true }, sandbox);
  // Coupons are looked at each day, so that the advance has many steps.
  const coupon = await sandbox.call('POST', '/coupons', { code: 'SAVE10', affiliateId: id });
  assert.equal(coupon.status, 201, coupon.text);
  const started = await sandbox.call('POST', '/test-clock/advance', { days: 200 });
  assert.equal(started.status, 200, started.text);
  const first = await workers.start();
  await until('the clock moves', async () => (await readClock(sandbox)).aheadSeconds > 0);
  await workers.kill(first);
  const { aheadSeconds, status } = await readClock(sandbox);
  assert.equal(status, 'advancing', 'the process was killed before the advance had ended');
  const killedAt = performance.now();
  await workers.start();
  await until('the clock moves on', async () => (await readClock(sandbox)).aheadSeconds > aheadSeconds);
  const seconds = (performance.now() - killedAt) / 1000;
  console.log(`  continued ${seconds.toFixed(0)} s after the kill`);
  assert.ok(seconds < 60, `${seconds} s`);
  await until('the clock is ready', async () => (await readClock(sandbox)).status === 'ready', 120_000);
  assert.equal((await readClock(sandbox)).aheadSeconds, 200 * 86_400);
});
