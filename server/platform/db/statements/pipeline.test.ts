import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import type { CallerCheck, Context } from '../../../context.ts';
import { transact } from '../transact.ts';
import { readTogether } from './pipeline.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
  await service.pool.query('create table piped (number integer primary key)');
  await service.pool.query('grant all on piped to public');
});
beforeEach(() => service.pool.query('delete from piped'));
after(() => service.close());

const insert = ({ db }: Pick<Context, 'db'>, number: number) => sql`insert into piped values (${number})`.execute(db);
const numbers = async () => (await service.pool.query('select number from piped order by number')).rows.map(({ number }) => number);
const failing = (isOneStatement: boolean): CallerCheck => ({
  isOneStatement,
  async run({ db }) {
    await sql`select ${1}::integer`.execute(db);
    throw new Error('rejected');
  },
});

test('statements of one turn have their own results', async () => {
  const read = (value: number) => (db: Context['db']) => sql<{ value: number }>`select ${value}::integer as value`.execute(db);
  for (let round = 0; round < 10; round += 1) {
    const results = await readTogether(service.ctx.db, (db) => Promise.all([1, 2, 3].map((value) => read(value)(db))));
    assert.deepEqual(
      results.map(({ rows }) => rows),
      [[{ value: 1 }], [{ value: 2 }], [{ value: 3 }]],
    );
  }
});

test('statements before a failing one have their results, and those after it do not run', async () => {
  const outcomes = await readTogether(service.ctx.db, (db) =>
    Promise.allSettled([sql`select 1 as one`.execute(db), sql`select 1 / ${0}::integer`.execute(db), insert({ db }, 1)]),
  );
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected'],
  );
  assert.deepEqual(await numbers(), []);
});

test('what is sent with COMMIT is committed, or nothing is', async () => {
  await transact(service.ctx, async (tx, commitWith) => {
    await insert(tx, 1);
    commitWith(() => Promise.all([insert(tx, 2), insert(tx, 3)]));
  });
  assert.deepEqual(await numbers(), [1, 2, 3]);
  const repeated = transact(service.ctx, async (tx, commitWith) => {
    await insert(tx, 4);
    commitWith(() => Promise.all([insert(tx, 5), insert(tx, 1)]));
  });
  await assert.rejects(repeated, { code: '23505' });
  assert.deepEqual(await numbers(), [1, 2, 3]);
});

test('no statement runs after the transaction has ended', async () => {
  const late = transact(service.ctx, async (tx, commitWith) => {
    commitWith(async () => {
      await insert(tx, 1);
      await insert(tx, 2);
    });
  });
  await assert.rejects(late, /has ended/);
  assert.deepEqual(await numbers(), [1]);
  let escaped: Promise<unknown> = Promise.resolve();
  const failed = transact(service.ctx, async (tx) => {
    escaped = sql`select 1`.execute(tx.db).then(() => new Promise(setImmediate).then(() => insert(tx, 3)));
    escaped.catch(() => {});
    throw new Error('work failed');
  });
  await assert.rejects(failed, /work failed/);
  await assert.rejects(escaped, /has ended/);
  assert.deepEqual(await numbers(), [1]);
});

for (const isOneStatement of [true, false])
  test(`if a check of ${isOneStatement ? 'one statement' : 'several statements'} fails, nothing is committed`, async () => {
    const ctx = { ...service.ctx, beforeWrite: failing(isOneStatement) };
    await assert.rejects(
      transact(ctx, (tx) => insert(tx, 1)),
      /rejected/,
    );
    await assert.rejects(
      transact(ctx, async () => {
        throw new Error('work failed first');
      }),
      /rejected/,
    );
    assert.deepEqual(await numbers(), []);
  });
