// A wrong clock would pay commissions before they mature. These tests change the clock of the server and of the database,
// as on one machine.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, aRule } from '../../../../test/support/builders.ts';
import { cloneDatabase, openTestService, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { buildApp } from '../../../main.ts';
import { connect } from '../../../platform/db/connect.ts';
import { transact } from '../../../platform/db/transact.ts';
import { createClock } from '../../../platform/lib/clock.ts';
import { findLock } from '../lock.ts';
import { reconcile } from './reconcile.ts';

const dayMs = 86_400_000;
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let service: TestService;

before(async () => {
  database = await cloneDatabase();
  const pool = connect({ ...database.connection, max: 1 });
  await pool.query(`create table clock_offset as select 0::bigint as ms;
    grant select on clock_offset to public;
    create function public.clock_timestamp() returns timestamptz volatile language sql as
      $$ select pg_catalog.clock_timestamp() + ms * interval '1 millisecond' from public.clock_offset $$`);
  await pool.query(`alter database ${database.connection.database} set search_path = public, pg_catalog`);
  await pool.end();
  service = await openTestService({ database: database.connection });
});
after(async () => {
  await service.close();
  await database.drop();
});

/** Creates a machine whose clock can be set, with one process and a program. Its database shares the clock by default. */
async function createMachine() {
  await service.pool.query('update clock_offset set ms = 0');
  const moved = { wallMs: 0, uptimeMs: 0 };
  const startProcess = () => {
    const sources = { wallMs: () => Date.now() + moved.wallMs, uptimeMs: () => performance.now() + moved.uptimeMs };
    return { ...service.ctx, clock: createClock(sources) };
  };
  const ctx = startProcess();
  const app = await buildApp(ctx);
  const program: TestProgram = await service.newProgram(`Clocked ${Math.random()}`);
  await service.pool.query('update payout_safety set clock_accepted_at = $1, seen_at = $1 where program_id = $2', [
    ctx.clock.now(),
    program.programId,
  ]);
  return {
    ctx,
    program,
    startProcess,
    async set(by: { wallMs: number; uptimeMs?: number; databaseMs?: number }) {
      moved.wallMs += by.wallMs;
      moved.uptimeMs += by.uptimeMs ?? 0;
      await service.pool.query('update clock_offset set ms = ms + $1', [by.databaseMs ?? by.wallMs]);
      ctx.clock.now(); // As each second (compose.ts).
    },
    async send(path: string, body: object = {}, given: Record<string, string> = {}) {
      const headers = { host: 'api.test', authorization: `Bearer ${program.key}`, ...given };
      const answer = await app.inject({ method: 'POST', url: `${program.path}/${path}`, headers, payload: body });
      return { status: answer.statusCode, body: answer.json() };
    },
    isLocked: (process = ctx) => transact(process, (tx) => findLock(tx, program.programId)),
  };
}

describe('payouts', () => {
  test('are locked when the clock was set forward, and work again after reconciling, with the clock as it is now', async () => {
    const machine = await createMachine();
    const { program, ctx } = machine;
    const other = machine.startProcess();
    assert.equal(await machine.isLocked(), null);
    await machine.set({ wallMs: 30 * dayMs });
    assert.equal(await machine.isLocked(other), 'clock_changed');
    const rejected = await machine.send('payouts/dispatch');
    assert.deepEqual([rejected.status, rejected.body.code], [503, 'reconciliation_required']);
    const compared = await machine.send('payouts/reconcile');
    assert.deepEqual([compared.body.isUnlocked, compared.body.lockReason], [true, null]);
    assert.equal(await machine.isLocked(), null);
    assert.equal(await machine.isLocked(other), null, 'another process that saw the same change accepts it too');
    assert.equal((await machine.send('payouts/dispatch')).body.code, 'nothing_due');
    await aRule(service, { rate: 10 }, program);
    const { id } = await anAffiliate(service, { status: 'active' }, program);
    const { status } = await machine.send('../../conversions', { orderId: 'o', affiliateId: id, amountCents: 100_000 });
    assert.equal(status, 201);
    await service.pool.query('update commissions set matures_at = $1, recorded_values = default where program_id = $2', [
      ctx.clock.now(),
      program.programId,
    ]);
    assert.equal((await machine.send('payouts/dispatch')).status, 201);
    await machine.set({ wallMs: 30 * dayMs });
    assert.equal((await machine.send('payouts/dispatch')).status, 503, 'the next change locks again');
  });

  for (const headers of [{}, { 'idempotency-key': 'dispatch-1' }])
    test(`stay locked after the 503 of a dispatch ${'idempotency-key' in headers ? 'with' : 'without'} an Idempotency-Key, which is not repeated`, async () => {
      const machine = await createMachine();
      const { programId } = machine.program;
      const readLock = async () =>
        (await service.pool.query('select lock_reason from payout_safety where program_id = $1', [programId])).rows[0].lock_reason;
      await machine.set({ wallMs: 30 * dayMs });
      assert.equal(await readLock(), null);
      assert.equal((await machine.send('payouts/dispatch', {}, headers)).status, 503);
      assert.equal(await readLock(), 'clock_changed', 'the lock is committed with the error');
      await machine.send('payouts/reconcile');
      assert.equal((await machine.send('payouts/dispatch', {}, headers)).body.code, 'nothing_due');
    });

  test('are not locked by suspending the machine, because the time has passed', async () => {
    const machine = await createMachine();
    assert.equal(await machine.isLocked(), null);
    await machine.set({ wallMs: 8 * 3_600_000, uptimeMs: 8 * 3_600_000 });
    assert.equal(await machine.isLocked(), null);
  });

  test('stay locked while the clocks of the server and the database differ, and reconciling returns the reason', async () => {
    const machine = await createMachine();
    await machine.set({ wallMs: 2 * 3_600_000, databaseMs: 0 });
    assert.equal((await machine.send('payouts/dispatch')).status, 503);
    const compared = await machine.send('payouts/reconcile');
    assert.equal(compared.body.isUnlocked, false);
    assert.equal(compared.body.lockReason, 'clocks_differ');
    await machine.set({ wallMs: 0, databaseMs: 2 * 3_600_000 });
    assert.equal((await machine.send('payouts/dispatch')).status, 503, 'a lock ends only by reconciling');
    assert.equal((await machine.send('payouts/reconcile')).body.isUnlocked, true);
    assert.equal((await machine.send('payouts/dispatch')).body.code, 'nothing_due');
  });

  test('are locked when the clock was set back, even for a process that started after that', async () => {
    const machine = await createMachine();
    assert.equal(await machine.isLocked(), null);
    await machine.set({ wallMs: -2 * 3_600_000 });
    const fresh = machine.startProcess();
    assert.equal(await machine.isLocked(fresh), 'clock_set_back');
    const request = { from: new Date(0), isAcknowledged: false, actor: { kind: 'command' as const, id: 'test' } };
    assert.equal((await reconcile(fresh, machine.program.programId, request)).isUnlocked, true);
    assert.equal(await machine.isLocked(fresh), null);
    assert.equal(await machine.isLocked(), null);
  });
});
