// The erasure of a person is killed in the middle of each program's transaction, in that of the account, and before its end: each
// time the command runs again, and in the end every row is as after an erasure that was not interrupted.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import type { Context } from '../../server/context.ts';
import { erasePerson } from '../../server/operations/persons/erasing/erase.ts';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { connect } from '../../server/platform/db/connect.ts';
import { fixedClock } from '../../server/platform/lib/clock.ts';
import type { ErasureWorkerOptions } from '../support/crash/erasure-worker.ts';
import { openWorkerContext, type WorkerConnection } from '../support/crash/worker-context.ts';
import { cloneDatabase, openTestService } from '../support/harness.ts';
import { dump, findHits } from '../support/persons/hits.ts';
import { actor, aPerson, email } from '../support/persons/person.ts';
import { readMoney } from '../support/persons/traces.ts';
import { until } from '../support/time/wait.ts';

type Copy = { pool: pg.Pool; ctx: Context; options: ErasureWorkerOptions; close(): Promise<void> };

const vaultKey = randomBytes(32);
let uninterrupted: Copy;
let killed: Copy;
let child: ChildProcess | null = null;
let database: Awaited<ReturnType<typeof cloneDatabase>>;

async function openCopy(now: number): Promise<Copy> {
  const { connection, drop } = await cloneDatabase(database.connection.database);
  const { host, port, user, database: name } = connection;
  const given: WorkerConnection = { host: String(host), port: Number(port), user: String(user), database: String(name) };
  const options = { connection: given, vaultKey: vaultKey.toString('base64'), now };
  const pool = connect({ ...connection, max: 4 });
  const ctx = openWorkerContext({ ...options, clock: fixedClock(new Date(now)) });
  return {
    pool,
    ctx,
    options,
    async close() {
      await Promise.all([pool.end(), ctx.db.destroy(), ctx.workers.close()]);
      await drop();
    },
  };
}

before(async () => {
  database = await cloneDatabase();
  const service = await openTestService({ database: database.connection, vaultKey });
  const { third } = await aPerson(service);
  await service.asMember('owner', { program: third });
  const now = service.clock.now().getTime();
  await service.close();
  uninterrupted = await openCopy(now);
  killed = await openCopy(now);
});
after(async () => {
  child?.kill('SIGKILL');
  await Promise.all([uninterrupted?.close(), killed?.close()]);
  await database.drop();
});

/** Locks rows, erases in a process until it waits for them, and kills the process and its connection. */
async function killAt(rows: string, values: unknown[]): Promise<void> {
  const { pool, options } = killed;
  const holder = await pool.connect();
  try {
    await holder.query('begin');
    assert.ok((await holder.query(`${rows} for update`, values)).rowCount, 'there are rows to wait for');
    const { rows: own } = await holder.query('select pg_backend_pid() as pid');
    const started = spawn(process.execPath, ['test/support/crash/erasure-worker.ts', JSON.stringify(options)], { stdio: 'inherit' });
    child = started;
    const exit = once(started, 'exit');
    const findWaiting = async (): Promise<number[]> => {
      const waiting = await pool.query(
        'select pid from pg_stat_activity where datname = current_database() and $1 = any(pg_blocking_pids(pid))',
        [own[0].pid],
      );
      return waiting.rows.map(({ pid }) => pid);
    };
    await until('the erasure waits for the rows', async () => {
      assert.equal(started.exitCode, null, 'the erasure ended before it was killed');
      return (await findWaiting()).length > 0;
    });
    const waiting = await findWaiting();
    started.kill('SIGKILL');
    await exit;
    for (const pid of waiting) await pool.query('select pg_terminate_backend($1, 10000)', [pid]);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}

/** The programs in which an erasure is recorded, one for each record. */
async function readErased({ pool }: Copy): Promise<string[]> {
  const { rows } = await pool.query(`select program_id from audit_log where action = 'person.erased' order by program_id`);
  return rows.map(({ program_id: programId }) => programId);
}

/** Ids, hashes and times. */
const generated = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:\\x)?[0-9a-f]{32,}|\d{4}-\d\d-\d\d[ T][\d:.]+/g;
/** Depend on how often the command ran: the seals, which `verify` checks, and how often the sums of a span were outdated. */
const notCompared = ['public.audit_seals', 'public.audit_redactions', 'public.breakdown_spans'];

/** The rows of every table in order, without the ids, hashes and times that were not there before. */
async function readRows({ pool }: Copy, known: ReadonlySet<string>): Promise<Record<string, string[]>> {
  const mask = (text: string) => text.replace(generated, (found) => (known.has(found) ? found : '•'));
  const tables = [...(await dump(pool))].filter(([table]) => !notCompared.includes(table));
  return Object.fromEntries(tables.map(([table, text]) => [table, text.split('\n').map(mask).sort()]));
}

test('an erasure that is killed at every stage and repeated leaves what an uninterrupted one leaves', async () => {
  const known = new Set([...(await dump(killed.pool)).values()].flatMap((text) => text.match(generated) ?? []));
  const money = await readMoney(killed.pool);
  await erasePerson(uninterrupted.ctx, { email, actor, forfeits: true });
  const { rows: programs } = await killed.pool.query<{ id: string }>('select id from programs order by id');
  const programIds = programs.map(({ id }) => id);
  assert.deepEqual(await readErased(uninterrupted), programIds);

  for (const [number, programId] of programIds.entries()) {
    // The entries are redacted last, after everything else in the transaction.
    await killAt('select from audit_log where program_id = $1', [programId]);
    assert.deepEqual(await readErased(killed), programIds.slice(0, number), 'each program is erased whole or not at all');
  }
  await killAt('select from users', []);
  assert.deepEqual(await readErased(killed), programIds);
  assert.ok((await findHits(killed.pool, killed.ctx.vault)).length > 0, 'the account is not erased yet');
  await killAt('select from person_erasures', []);
  assert.equal((await killed.pool.query('select from person_erasures')).rowCount, 1);

  await erasePerson(killed.ctx, { email, actor, forfeits: true });
  assert.deepEqual(await findHits(killed.pool, killed.ctx.vault), []);
  assert.deepEqual(
    (await checkInvariants(killed.ctx)).filter(({ broken }) => broken.length > 0),
    [],
  );
  assert.deepEqual(await readMoney(killed.pool), money);
  assert.deepEqual(await readErased(killed), programIds, 'one erasure is recorded in each program');
  assert.deepEqual(await readRows(killed, known), await readRows(uninterrupted, known));
});
