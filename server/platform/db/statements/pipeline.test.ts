import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import type pg from 'pg';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { countRoundTrips } from '../../../../test/support/round-trips.ts';
import type { Context } from '../../../context.ts';
import { connect, typedQueries } from '../connect.ts';
import { toApiError } from '../constraints.ts';
import { transact, transactInSteps } from '../transact.ts';
import { readTogether, type Statement } from './pipeline.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
  await service.pool.query('create table piped (number integer primary key)');
  await service.pool.query('grant all on piped to public');
});
beforeEach(() => service.pool.query('delete from piped'));
after(() => service.close());

const insert = ({ db }: Pick<Context, 'db'>, number: number) => sql`insert into piped values (${number})`.execute(db);
const read = ({ db }: Pick<Context, 'db'>, value: number) => sql<{ value: number }>`select ${value}::integer as value`.execute(db);
const fail = ({ db }: Pick<Context, 'db'>) => sql`select 1 / ${0}::integer`.execute(db);
const numbers = async () => (await service.pool.query('select number from piped order by number')).rows.map(({ number }) => number);

/** A pool with one connection, so that the next transaction has the connection of the one before. */
function openPool({ t, ...options }: { t: { after(close: () => Promise<void>): void } } & pg.PoolConfig): { pool: pg.Pool; ctx: Context } {
  const { host, port, user, database } = service.pool.options;
  const pool = connect({ host, port, user, database, max: 1, ...options });
  t.after(() => pool.end());
  return { pool, ctx: { ...service.ctx, db: typedQueries(pool) } };
}

type Run = (sent: pg.QueryConfig) => Promise<pg.QueryResult>;

/** Runs `around` instead of each statement of the pool's connections. */
function intercept(pool: pg.Pool, around: (sent: pg.QueryConfig, run: Run) => Promise<pg.QueryResult>): void {
  pool.on('connect', (client) => {
    const { query } = client;
    const run: Run = (sent) => Reflect.apply(query, client, [sent]);
    Object.assign(client, { query: (sent: pg.QueryConfig) => around(sent, run) });
  });
}

test('statements that are sent without waiting have their own results', async () => {
  for (let round = 0; round < 10; round += 1) {
    const results = await readTogether(service.ctx.db, (db) => Promise.all([1, 2, 3].map((value) => read({ db }, value))));
    assert.deepEqual(
      results.map(({ rows }) => rows),
      [[{ value: 1 }], [{ value: 2 }], [{ value: 3 }]],
    );
  }
});

test('statements are sent before the results of those before have arrived', async (t) => {
  const { pool, ctx } = openPool({ t });
  let waiting = 0;
  let most = 0;
  intercept(pool, (sent, run) => {
    waiting += 1;
    most = Math.max(most, waiting);
    return run(sent).finally(() => {
      waiting -= 1;
    });
  });
  await transact(ctx, (tx) => Promise.all([read(tx, 1), insert(tx, 1), read(tx, 2)]));
  assert.equal(most, 3);
});

describe('a statement that fails', () => {
  test('makes the statements after it fail with its error, although they were sent before it was known', async () => {
    const seen: unknown[] = [];
    const failed = transact(service.ctx, async (tx) => {
      const settled = await Promise.allSettled([read(tx, 1), fail(tx), insert(tx, 1), read(tx, 2)]);
      for (const outcome of settled) seen.push(outcome.status === 'fulfilled' ? null : outcome.reason.code);
    });
    await assert.rejects(failed, { code: '22012' });
    assert.deepEqual(seen, [null, '22012', '22012', '22012']);
    assert.deepEqual(await numbers(), []);
  });

  test('is the error of the transaction, even if a later one is noticed first', async () => {
    const failed = transact(service.ctx, (tx) => Promise.all([fail(tx).finally(() => new Promise(setImmediate)), insert(tx, 1)]));
    await assert.rejects(failed, { code: '22012' });
  });

  test('is never reported as committed, even if its error is ignored', async () => {
    const ignoring = transact(service.ctx, async (tx) => {
      await insert(tx, 1);
      await fail(tx).catch(() => {});
      return 'committed';
    });
    await assert.rejects(ignoring, { code: '22012' });
    const withKysely = service.ctx.db.transaction().execute(async (db) => {
      await insert({ db }, 2);
      await fail({ db }).catch(() => {});
    });
    await assert.rejects(withKysely, { code: '22012' });
    assert.deepEqual(await numbers(), []);
  });

  test('within a savepoint leaves the rest of the transaction as it is', async () => {
    await transact(service.ctx, async (tx) => {
      await insert(tx, 1);
      await sql`savepoint attempt`.execute(tx.db);
      await assert.rejects(Promise.all([insert(tx, 1), insert(tx, 2)]), { code: '23505' });
      await sql`rollback to savepoint attempt`.execute(tx.db);
      await assert.rejects(Promise.all([fail(tx).finally(() => new Promise(setImmediate)), insert(tx, 2)]), { code: '22012' });
      await sql`rollback to savepoint attempt`.execute(tx.db);
      await insert(tx, 3);
    });
    assert.deepEqual(await numbers(), [1, 3]);
  });
});

describe('a transaction in steps', () => {
  const statement = (number: number): Statement => ({ text: 'insert into piped values ($1)', values: [String(number)] });
  const invalid: Statement = { text: 'select 1 / $1::integer', values: ['0'] };
  const nothing = async () => {};

  test('takes two round trips: its reads are sent with BEGIN, and its writes with COMMIT', async (t) => {
    const { pool, ctx } = openPool({ t });
    const count = countRoundTrips(pool);
    const doubled = await transactInSteps(ctx, {
      read: (tx) => read(tx, 1),
      decide: async (_, { rows }) => rows.map(({ value }) => value * 2),
      write: (numbers) => [...numbers, 3].map(statement),
    });
    assert.deepEqual([doubled, await numbers(), count()], [[2], [2, 3], 2]);
  });

  test('writes everything or nothing, and leaves a usable connection', async (t) => {
    const { pool, ctx } = openPool({ t });
    const writeAll = (statements: Statement[]) =>
      transactInSteps(ctx, { read: nothing, decide: (tx) => insert(tx, 0), write: () => statements });
    for (let round = 0; round < 10; round += 1) {
      await assert.rejects(writeAll([statement(1), statement(1)]), { code: '23505' });
      await assert.rejects(writeAll([invalid, statement(1), statement(2)]), { code: '22012' });
      await assert.rejects(writeAll([statement(1), { text: 'not SQL', values: [] }]), { code: '42601' });
      assert.deepEqual(await numbers(), []);
      await writeAll([statement(1), statement(2)]);
      assert.deepEqual([await numbers(), pool.totalCount], [[0, 1, 2], 1]);
      await service.pool.query('delete from piped');
    }
  });

  test('does not repeat a write outside of it when a migration changed the columns of its table', async (t) => {
    const { ctx } = openPool({ t });
    await service.pool.query('create table widened (number integer)');
    await service.pool.query('grant all on widened to public');
    const write = () => [{ text: 'insert into widened (number) values ($1) returning *', values: ['1'] }];
    for (let use = 0; use < 10; use += 1) await transactInSteps(ctx, { read: nothing, decide: nothing, write });
    await service.pool.query('alter table widened add column name text');
    await transactInSteps(ctx, { read: nothing, decide: nothing, write });
    const { rows } = await service.pool.query('select count(*)::int from widened');
    assert.deepEqual(rows, [{ count: 11 }]);
  });
});

test('no statement runs after the transaction has ended', async () => {
  let escaped: Promise<unknown> = Promise.resolve();
  const late = (tx: Pick<Context, 'db'>, number: number) => {
    escaped = new Promise(setImmediate).then(() => insert(tx, number));
    escaped.catch(() => {});
  };
  await transact(service.ctx, async (tx) => late(tx, 1));
  await assert.rejects(escaped, /has ended/);
  const failed = transact(service.ctx, async (tx) => {
    late(tx, 2);
    throw new Error('work failed');
  });
  await assert.rejects(failed, /work failed/);
  await assert.rejects(escaped, /has ended/);
  assert.deepEqual(await numbers(), []);
});

test('if the check of the caller fails, nothing is sent', async () => {
  let hasStarted = false;
  const beforeWrite: Context['beforeWrite'] = async (tx) => {
    await read(tx, 1);
    await read(tx, 2);
    throw new Error('rejected');
  };
  const checked = transact({ ...service.ctx, beforeWrite }, async (tx) => {
    hasStarted = true;
    await insert(tx, 1);
  });
  await assert.rejects(checked, /rejected/);
  assert.deepEqual([hasStarted, await numbers()], [false, []]);
});

describe('if BEGIN fails, nothing runs outside of a transaction', () => {
  const work = (tx: Pick<Context, 'db'>) => Promise.all([insert(tx, 1), insert(tx, 2)]);

  test('because PostgreSQL rejects it', async (t) => {
    const { pool, ctx } = openPool({ t });
    // As when an administrator cancels it.
    intercept(pool, (sent, run) => run(sent.text === 'begin' ? { text: 'select 1 / 0' } : sent));
    await assert.rejects(transact(ctx, work), { code: '22012' });
    const beforeWrite: Context['beforeWrite'] = async (tx) => void (await read(tx, 1));
    await assert.rejects(transact({ ...ctx, beforeWrite }, work), { code: '22012' });
    assert.deepEqual(await numbers(), []);
  });

  test('because the connection is lost', async (t) => {
    const { pool, ctx } = openPool({ t });
    const {
      rows: [session],
    } = await pool.query('select pg_backend_pid() as pid');
    const client = await pool.connect();
    await service.pool.query('select pg_terminate_backend($1, 5000)', [session.pid]);
    client.release();
    const outcome = await transact(ctx, work).catch((error: unknown) => error);
    if (outcome instanceof Error) {
      assert.equal(toApiError(outcome)?.status, 503);
      assert.deepEqual(await numbers(), []);
    } else assert.deepEqual(await numbers(), [1, 2]);
  });
});

test('a statement that takes too long fails with 503, and its connection is closed', async (t) => {
  const { pool, ctx } = openPool({ t, query_timeout: 300 });
  const wait = ({ db }: Pick<Context, 'db'>) => sql`select pg_sleep(${1}::integer)`.execute(db);
  const isUnavailable = (error: unknown) => toApiError(error)?.status === 503;
  await assert.rejects(
    transact(ctx, (tx) => Promise.all([insert(tx, 1), wait(tx), insert(tx, 2)])),
    isUnavailable,
  );
  await assert.rejects(wait(ctx), isUnavailable);
  await assert.rejects(
    readTogether(ctx.db, (db) => Promise.all([wait({ db }), read({ db }, 1)])),
    isUnavailable,
  );
  assert.equal(pool.totalCount, 0);
  await transact(ctx, (tx) => insert(tx, 3));
  assert.deepEqual(await numbers(), [3]);
});

test('a connection whose transaction could not be ended is closed', async (t) => {
  const { pool, ctx } = openPool({ t });
  intercept(pool, (sent, run) => run(sent.text === 'rollback' ? { text: 'not SQL' } : sent));
  const failed = transact(ctx, async (tx) => {
    await insert(tx, 1);
    throw new Error('work failed');
  });
  await assert.rejects(failed, /work failed/);
  assert.equal(pool.totalCount, 0);
  assert.deepEqual(await numbers(), []);
});
