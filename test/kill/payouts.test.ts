// A provider that drops, delays, fails before and after paying, returns unreadable responses, repeats its events and forgets
// idempotency keys, and processes that are killed. According to the provider's records no affiliate is paid twice, and in the
// end both records agree to the cent. Longer: TEST_LENGTH=16 npm test -- test/kill/payouts.test.ts
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { openPayoutProvider } from '../../server/connections/providers/provider.ts';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { applyProviderEvents } from '../../server/paying/payouts/send/apply-provider-events.ts';
import { followUp } from '../../server/paying/payouts/send/follow-up.ts';
import { aRule } from '../support/builders.ts';
import { cloneDatabase, openTestService, type TestService } from '../support/harness.ts';
import { anExternalProvider, aPayee } from '../support/payees.ts';
import { virtualNow, type WorkerOptions } from '../support/payout-worker.ts';
import { startExternalRail } from '../support/rails/external.ts';
import { chanceOf, type Mode, shuffled } from '../support/rails/faults.ts';
import { givenSeed, often } from '../support/time/length.ts';
import { elapse, until } from '../support/time/wait.ts';

const kills = often(8);
const batches = often(4);
const seed = givenSeed ?? 1;
const payees = 100;
/** How long the provider takes for a slow payment. */
const slowMs = 250;
const workers = 2;
const weights: [Mode, number][] = [
  ['pay', 50],
  ['slow', 20],
  ['pay_then_hang', 6],
  ['hang_then_pay', 3],
  ['fail_before', 5],
  ['fail_after', 5],
  ['reset_before', 4],
  ['reset_after', 4],
  ['garbage', 2],
  ['take', 3],
  ['reject', 1],
  ['rate_limit', 2],
];

const vaultKey = randomBytes(32);
const chance = chanceOf(seed);
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let service: TestService;
let rail: Awaited<ReturnType<typeof startExternalRail>>;
let providerId: string;
let options: WorkerOptions;
let now = () => virtualNow(options.time);
const running: ChildProcess[] = [];

before(async () => {
  database = await cloneDatabase();
  service = await openTestService({ database: database.connection, vaultKey });
  const time = { from: service.clock.now().getTime(), startedAt: Date.now(), speed: 100 };
  options = {
    connection: database.connection,
    vaultKey: vaultKey.toString('base64'),
    programId: service.program.programId,
    time,
    callTimeoutMs: 400,
  };
  rail = await startExternalRail({ now: () => now(), slowMs });
  rail.setMode(() => pick());
  providerId = await anExternalProvider(service, rail.url);
  await service.request('PATCH', service.program.path, { body: { holdDays: 0, minimumPayoutCents: 0 } });
  await aRule(service, { rate: 10 });
});
after(async () => {
  for (const child of running) child.kill('SIGKILL');
  await service.close();
  await rail.close();
  await database.drop();
});

function pick(): Mode {
  let left = chance() * weights.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [mode, weight] of weights) {
    left -= weight;
    if (left < 0) return mode;
  }
  return 'pay';
}

async function startWorker(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['test/support/payout-worker.ts', JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  await once(child.stdout as NodeJS.EventEmitter, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  running.splice(running.indexOf(child), 1);
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Reports an order of each payee and dispatches all of them. */
async function dispatchBatch(affiliates: readonly string[], batch: number): Promise<number> {
  synchronizeClock();
  const conversions = affiliates.map((affiliateId, index) => ({
    orderId: `b${batch}-${index}`,
    affiliateId,
    amountCents: 1000 + 10 * index + batch,
  }));
  const reported = await service.request('POST', '/v1/conversions/batch', { body: { conversions } });
  assert.equal(reported.status, 200);
  const { status, body, text } = await service.request('POST', `${service.program.path}/payouts/dispatch`, { body: {} });
  assert.equal(status, 201, text);
  return body.batch.payoutCount;
}

/** Sets the clock of the test's service to the fast clock of the workers. */
function synchronizeClock(): void {
  service.clock.advance({ seconds: (virtualNow(options.time).getTime() - service.clock.now().getTime()) / 1000 });
}

async function countBy(): Promise<Record<string, number>> {
  const { rows } = await service.pool.query('select status, count(*)::int from payouts group by 1');
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

async function untilCounts(isDone: (counts: Record<string, number>) => boolean): Promise<void> {
  await until('the payouts are decided', async () => isDone(await countBy())).catch(async () => {
    const { rows } = await service.pool.query(`select lock_reason, null as kind, null as reference from payout_safety
      union all select note, kind, reference from payout_discrepancies`);
    assert.fail(`still open: ${JSON.stringify(await countBy())} ${JSON.stringify(rows)}`);
  });
}

describe('a faulty provider and killed processes', () => {
  test(`${payees * batches} payouts, ${kills} kills: no affiliate is paid twice, and the records agree`, async () => {
    const affiliates: string[] = [];
    for (let index = 0; index < payees; index += 1) affiliates.push((await aPayee(service)).id);
    let payouts = 0;
    const processes = await Promise.all(Array.from({ length: workers }, startWorker));
    for (let killed = 0; killed < kills; killed += 1) {
      if (killed % Math.ceil(kills / batches) === 0) payouts += await dispatchBatch(affiliates, killed);
      await elapse(30 + chance() * 300);
      const place = killed % workers;
      const victim = processes[place];
      if (victim) await kill(victim);
      processes[place] = await startWorker();
    }
    // Hanging requests are paid now; then the provider forgets every idempotency key, after more than the promised day.
    rail.settle();
    await untilCounts(({ queued = 0, sending = 0 }) => queued + sending === 0);
    for (const child of processes) await kill(child);
    // The provider still works on requests that ended processes had sent: it pays them before it forgets their keys.
    await elapse(4 * slowMs);
    rail.settle();
    options.time.from += 26 * 3_600_000;
    rail.forgetKeys();
    now = () => service.clock.now();
    rail.setMode('pay');
    const before = rail.payments().length;
    synchronizeClock();
    await deliverEvents();
    for (let round = 0; round < 20; round += 1) {
      service.clock.advance({ days: 0.3 });
      await followUp(service.ctx, service.program.programId);
    }
    assert.equal(rail.payments().length, before, 'a payment was sent after the provider had forgotten its idempotency keys');
    const cancelled = await cancelUnpaid();
    const compared = await service.request('POST', `${service.program.path}/payouts/reconcile`, { body: {} });
    assert.deepEqual([compared.status, compared.body.isUnlocked], [200, true], compared.text);
    await compareRecords(payouts, cancelled);
  });
});

/** Every event three times, in any order. */
async function deliverEvents(): Promise<void> {
  const provider = await service.ctx.db.selectFrom('providers').selectAll().where('id', '=', providerId).executeTakeFirstOrThrow();
  const { readEvent } = openPayoutProvider(service.ctx, provider);
  for (const delivery of shuffled(await rail.events(), { times: 3, seed })) {
    await applyProviderEvents(service.ctx, provider, (await readEvent?.(delivery)) ?? []);
  }
}

/** Cancels payouts that never reached the provider and can't be sent again, as a person does after checking. */
async function cancelUnpaid(): Promise<number> {
  const { body } = await service.request('GET', `${service.program.path}/payouts?status=reconcile_required&limit=200`);
  const paid = new Set(rail.payments().map(({ paymentId }) => paymentId));
  for (const { id } of body.payouts) {
    assert.ok(!paid.has(id), 'the provider paid a payout that is still polled');
    const { status } = await service.request('POST', `${service.program.path}/payouts/${id}/cancel`, { body: { confirmNotPaid: true } });
    assert.equal(status, 200);
  }
  return body.payouts.length;
}

async function compareRecords(payouts: number, cancelled: number): Promise<void> {
  const theirs = new Map(rail.payments().map(({ paymentId, amountCents }) => [paymentId, amountCents]));
  assert.equal(theirs.size, rail.payments().length, 'an affiliate was paid twice');
  const { rows } = await service.pool.query(`select id, amount_cents as cents from payouts where status = 'paid'`);
  const ours = new Map(rows.map(({ id, cents }) => [id, cents]));
  const differing = [...new Set([...theirs.keys(), ...ours.keys()])].filter((id) => theirs.get(id) !== ours.get(id));
  assert.deepEqual(
    differing.map((id) => `${id} rail ${theirs.get(id)}, ours ${ours.get(id)}`),
    [],
  );
  const { rows: ledger } = await service.pool.query(
    'select sum(paid_cents)::int as paid, sum(in_transit_cents)::int as moving from ledger_balances',
  );
  assert.deepEqual(ledger, [{ paid: rail.payments().reduce((sum, { amountCents }) => sum + amountCents, 0), moving: 0 }]);
  const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
  assert.deepEqual(broken, []);
  const counts = await countBy();
  assert.equal(
    Object.values(counts).reduce((sum, count) => sum + count, 0),
    payouts,
  );
  assert.ok(payouts >= payees * batches * 0.95, `${payouts} payouts`);
  console.log(`  ${payouts} payouts: ${JSON.stringify(counts)}; ${rail.asked()} calls; ${cancelled} cancelled manually`);
}
