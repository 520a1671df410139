// 400 days of two payout schedules, with changes to and from daylight saving time, holidays, days on which nothing runs, processes
// that are killed and backups that are restored. Each period has the batch that a model expects: one at most, also over all that was
// lost, and the provider pays what was earned, once. TEST_SEED=7 repeats one; TEST_LENGTH=20 runs twenty.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { restoreBackup } from '../../server/operations/backup/restore-backup.ts';
import { writeBackup } from '../../server/operations/backup/write-backup.ts';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { ensureAppRole } from '../../server/platform/db/app-role.ts';
import { cloneDatabase, openTestService, type TestService } from '../support/harness.ts';
import { withCopyClient } from '../support/own-connections.ts';
import { aPayer, monthly, type Payer, reconcile, reportOrders, weekly } from '../support/payday/payer.ts';
import { type ScheduleWorker, startScheduleWorker } from '../support/payday/schedule-worker.ts';
import { chanceOf } from '../support/rails/faults.ts';
import { givenSeed, often } from '../support/time/length.ts';

const runs = givenSeed === null ? often(1) : 1;
const [days, restores, dayMs, minuteMs] = [400, 2, 86_400_000, 60_000];
const vaultKey = randomBytes(32);

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-schedule-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

type World = {
  service: TestService;
  payers: Payer[];
  workers: ScheduleWorker[];
  startWorker(): Promise<ScheduleWorker>;
  chance(): number;
  counts: { kills: number; restores: number; ticks: number };
  close(): Promise<void>;
};

async function openWorld(seed: number): Promise<World> {
  const database = await cloneDatabase();
  const service = await openTestService({ database: database.connection, vaultKey });
  const fromMs = service.clock.now().getTime();
  const payers = [await aPayer(service, weekly, { fromMs, days }), await aPayer(service, monthly, { fromMs, days })];
  const programIds = payers.map(({ program }) => program.programId);
  const startWorker = () => startScheduleWorker({ connection: database.connection, vaultKey: vaultKey.toString('base64'), programIds });
  const workers = await Promise.all([startWorker(), startWorker()]);
  return {
    service,
    payers,
    workers,
    startWorker,
    chance: chanceOf(seed),
    counts: { kills: 0, restores: 0, ticks: 0 },
    async close() {
      for (const worker of workers) await worker.end();
      await service.close();
      for (const { rail } of payers) await rail.close();
      await database.drop();
    },
  };
}

const moveTo = ({ service: { clock } }: World, atMs: number) => clock.advance({ seconds: (atMs - clock.now().getTime()) / 1000 });

/** Runs the schedules at a time, in two processes; before, one may be killed in the middle. Compares the rows with the models. */
async function tick(world: World, atMs: number, { isPayday }: { isPayday: boolean }): Promise<void> {
  const { workers, counts, chance } = world;
  moveTo(world, atMs);
  const at = new Date(atMs);
  if (isPayday && chance() < 0.06) {
    await workers[0]?.killDuring(at, chance() * 40);
    workers[0] = await world.startWorker();
    counts.kills += 1;
  }
  await Promise.all(workers.map((worker) => worker.run(at)));
  counts.ticks += 1;
  for (const payer of world.payers) {
    payer.model.tick(atMs);
    await compare(world, payer);
  }
}

async function compare({ service }: World, { program, model, batches }: Payer): Promise<void> {
  const { rows } = await service.pool.query<{ period: string; outcome: string; batchId: string | null; at: Date }>(
    `select period, outcome, batch_id as "batchId", started_at as at from payout_schedule_runs where program_id = $1 order by period`,
    [program.programId],
  );
  const found = rows.map(({ period, outcome, at }) => [period, outcome === 'skipped' ? 'skipped' : 'ran', at.toISOString()]);
  assert.deepEqual(found, model.list());
  for (const { period, batchId } of rows) {
    if (batchId === null) continue;
    assert.equal(batches.get(period) ?? batchId, batchId, `${period} has a second batch`);
    batches.set(period, batchId);
  }
  const counted = await service.pool.query(
    `select count(*)::int as count from payout_batches where program_id = $1 and dispatched_by_kind = 'schedule'`,
    [program.programId],
  );
  assert.equal(counted.rows[0].count, rows.filter(({ batchId }) => batchId !== null).length);
}

/** The times of a day at which the schedules run: some paydays to the minute, and another time. */
function planTicks({ payers, chance }: World, dayStartMs: number): { atMs: number; isPayday: boolean }[] {
  const starts = payers
    .flatMap(({ paydays }) => paydays.map(({ startsAt }) => startsAt))
    .filter((at) => at >= dayStartMs && at < dayStartMs + dayMs);
  const exact = starts
    .filter(() => chance() < 0.7)
    .flatMap((at) => [
      { atMs: at - minuteMs, isPayday: false },
      { atMs: at, isPayday: true },
    ]);
  const other = { atMs: dayStartMs + Math.floor(chance() * 1440) * minuteMs, isPayday: starts.length > 0 };
  return [...exact, other].filter(({ atMs }) => atMs >= dayStartMs).toSorted((a, b) => a.atMs - b.atMs);
}

type Backup = { file: string; day: number; models: ReturnType<Payer['model']['copy']>[]; orders: number[] };

async function backUp({ service, payers }: World, day: number): Promise<Backup> {
  const file = join(folder, `${Math.random()}.backup`);
  await withCopyClient(service.pool, (client) => writeBackup(client, { path: file, version: 'test', encryptedColumns: [] }));
  return { file, day, models: payers.map(({ model }) => model.copy()), orders: payers.map(({ orders }) => orders.length) };
}

async function restore({ service, payers, counts }: World, { file, models, orders }: Backup): Promise<void> {
  await withCopyClient(service.pool, (client) => restoreBackup(file, { client, boss: service.boss, now: service.clock.now() }));
  await ensureAppRole(service.pool);
  counts.restores += 1;
  for (const [index, payer] of payers.entries()) {
    const model = models[index];
    assert.ok(model);
    payer.model = model;
    model.restore();
    await reportOrders(service, payer, payer.orders.slice(orders[index]));
  }
}

async function liveThrough(world: World): Promise<void> {
  const { service, payers, chance, counts } = world;
  const startMs = service.clock.now().getTime();
  let backup: Backup | null = null;
  let [runsAgainOn, reconcileOn] = [0, Number.POSITIVE_INFINITY];
  for (let day = 0; day < days; day += 1) {
    moveTo(world, startMs + day * dayMs);
    for (const payer of payers) if (chance() < 0.3) await payer.earn(chance);
    if (day >= reconcileOn) {
      for (const payer of payers) await reconcile(service, payer);
      reconcileOn = Number.POSITIVE_INFINITY;
    }
    if (backup && day - backup.day > 20 + chance() * 60) {
      await restore(world, backup);
      [backup, reconcileOn] = [null, day + Math.floor(chance() * 20)];
    } else if (!backup && reconcileOn === Number.POSITIVE_INFINITY && counts.restores < restores && chance() < 0.05)
      backup = await backUp(world, day);
    if (day < runsAgainOn) continue;
    if (chance() < 0.03) runsAgainOn = day + Math.floor(chance() * 40);
    else for (const planned of planTicks(world, startMs + day * dayMs)) await tick(world, planned.atMs, planned);
    for (const payer of payers) if (chance() < 0.5) await payer.approve();
  }
}

/** Everything that was earned is paid once, or is still owed. */
async function checkMoney({ service, payers }: World): Promise<number> {
  let payments = 0;
  for (const { program, rail, orders, affiliateIds } of payers) {
    const { rows } = await service.pool.query<{ id: string; cents: number }>(
      `select affiliate_id as id, (pending_cents + available_cents + in_transit_cents)::float8 as cents from ledger_balances where program_id = $1`,
      [program.programId],
    );
    const owed = new Map(rows.map(({ id, cents }) => [id, cents]));
    for (const id of affiliateIds) {
      const paid = rail.payments().filter(({ affiliateId }) => affiliateId === id);
      const earned = orders.filter(({ affiliateId }) => affiliateId === id).reduce((sum, { amountCents }) => sum + amountCents / 10, 0);
      assert.equal(paid.reduce((sum, { amountCents }) => sum + amountCents, 0) + (owed.get(id) ?? 0), earned);
      payments += paid.length;
    }
  }
  assert.deepEqual(
    (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0),
    [],
  );
  return payments;
}

test(`${days} simulated days (${runs} times): a period has one batch at most, and nothing is paid twice`, async () => {
  for (let run = 0; run < runs; run += 1) {
    const seed = givenSeed ?? 1 + run;
    const world = await openWorld(seed);
    try {
      await liveThrough(world);
      const payments = await checkMoney(world);
      const [first, second] = world.payers.map(({ model, batches }) => `${model.describe()}, ${batches.size} batches`);
      const { kills, restores: restored, ticks } = world.counts;
      console.log(
        `  seed ${seed}: weekly ${first}; monthly ${second}; ${payments} payments, ${ticks} runs, ${kills} kills, ${restored} restores`,
      );
      assert.ok(restored === restores && kills > 0 && payments > 30);
    } catch (error) {
      throw new Error(`TEST_SEED=${seed}`, { cause: error });
    } finally {
      await world.close();
    }
  }
});
