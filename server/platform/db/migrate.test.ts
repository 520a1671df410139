import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type pg from 'pg';
import { emptyDatabase } from '../../../test/support/harness.ts';
import { connect } from './connect.ts';
import { migrate, readMigrations } from './migrate.ts';

describe('migrations', () => {
  let pool: pg.Pool;
  let database: Awaited<ReturnType<typeof emptyDatabase>>;
  before(async () => {
    database = await emptyDatabase();
    pool = connect({ ...database.connection, max: 8 });
  });
  after(async () => {
    await pool.end();
    await database.drop();
  });

  test('five concurrent processes apply each file once', async () => {
    const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(pool, new Date())));
    const { rows } = await pool.query('select name from migrations order by name');
    assert.deepEqual(
      applied.flat().sort(),
      rows.map((row) => row.name),
    );
    assert.ok(rows.length >= 6);
    assert.deepEqual(await migrate(pool, new Date()), []);
  });

  test('no file was edited after it reached the main branch', async () => {
    const lines = (await readMigrations()).map((migration) => `${migration.hash}  ${migration.name}\n`);
    assert.equal(readFileSync('migrations/hashes.txt', 'utf8'), lines.join(''));
  });

  test('an edited file is rejected with its name', async () => {
    await pool.query(`update migrations set hash = 'x' where name = '0003_partners.sql'`);
    await assert.rejects(migrate(pool, new Date()), /0003_partners.sql was edited/);
  });
});
