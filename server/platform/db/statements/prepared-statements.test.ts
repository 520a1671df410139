import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { typedQueries } from '../connect.ts';
import { transact } from '../transact.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

/** How many statements the connection has prepared whose text contains `text`. */
const countPrepared = (db: TestService['ctx']['db'], text: string) =>
  sql<{
    count: number;
  }>`select count(*)::int from pg_prepared_statements where statement like ${`%${text}%`} and statement not like '%pg_prepared%'`
    .execute(db)
    .then(({ rows }) => rows[0]?.count);

test('a statement that is used repeatedly is prepared once, and one that is not is not', async () => {
  await transact(service.ctx, async (tx) => {
    const run = (text: string, value: number) => sql<{ sum: number }>`select ${value}::int + 1 as ${sql.raw(text)}`.execute(tx.db);
    await run('rarely', 1);
    for (let use = 1; use <= 10; use += 1) assert.deepEqual((await run('often', use)).rows, [{ often: use + 1 }]);
    assert.deepEqual([await countPrepared(tx.db, 'as often'), await countPrepared(tx.db, 'as rarely')], [1, 0]);
  });
});

test('a statement still works after a migration changed the columns of its table', async () => {
  await service.pool.query(`create table prepared (id int); insert into prepared values (1); grant select on prepared to public`);
  const db = typedQueries(service.pool);
  const read = (from: typeof db) => sql`select * from prepared where id = ${1}`.execute(from);
  for (let use = 1; use <= 20; use += 1) await read(db);
  await service.pool.query('alter table prepared add column name text');
  assert.deepEqual((await read(db)).rows, [{ id: 1, name: null }]);
  for (let use = 1; use <= 20; use += 1) await read(db);
  await service.pool.query('alter table prepared add column note text');
  const { rows } = await transact({ ...service.ctx, db }, (tx) => read(tx.db));
  assert.deepEqual(rows, [{ id: 1, name: null, note: null }]);
});

test('a transaction with many statements on a table still works after a migration changed its columns', async () => {
  await service.pool.query(`create table changed (id int); insert into changed values (1); grant select on changed to public`);
  const ctx = { ...service.ctx, db: typedQueries(service.pool) };
  const columns = ['a', 'b', 'c', 'd', 'e', 'f'];
  const readAll = () =>
    transact(ctx, async (tx) => {
      for (const name of columns) await sql`select *, 1 as ${sql.raw(name)} from changed`.execute(tx.db);
    });
  for (let use = 1; use <= 10; use += 1) await readAll();
  await service.pool.query('alter table changed add column name text');
  await readAll();
});

test('a statement that the server does not support is not repeated', async () => {
  let attempts = 0;
  const work = transact(service.ctx, async (tx) => {
    attempts += 1;
    await sql`select count(*) from programs for update`.execute(tx.db);
  });
  await assert.rejects(work, { code: '0A000' });
  assert.equal(attempts, 1);
});
