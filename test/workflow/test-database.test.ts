// The database that tests clone is built once and then unpacked. A missing or damaged archive is built again.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { fastestFolder } from '../../scripts/temporary-database.ts';
import { openTestDatabase, type TestDatabase } from '../../scripts/test-database.ts';
import { processesOf } from '../support/crash/processes.ts';

describe('the test database', () => {
  let cache: string;
  before(() => {
    cache = mkdtempSync(join(tmpdir(), 'test-database-'));
  });
  after(() => rmSync(cache, { recursive: true, force: true }));

  const archives = () => readdirSync(cache).map((name) => join(cache, name));
  const temporaryFolders = () =>
    readdirSync(fastestFolder()).filter((name) => /^tributary-/.test(name) && name.includes(`-${process.pid}-`));

  async function countTables({ connection }: TestDatabase): Promise<number> {
    const client = new pg.Client(connection);
    await client.connect();
    const { rows } = await client.query(`select count(*)::int as count from pg_tables where schemaname in ('public', 'pgboss')`);
    await client.end();
    return rows[0].count;
  }

  test('two runs that start at the same time without an archive both work, and leave one archive', async () => {
    const [first, second] = await Promise.all([openTestDatabase(cache), openTestDatabase(cache)]);
    assert.notEqual(first.connection.host, second.connection.host);
    assert.ok((await countTables(first)) > 40);
    assert.equal(await countTables(second), await countTables(first));
    await Promise.all([first.close(), second.close()]);
    assert.equal(archives().length, 1);
  });

  test('a later run uses the archive, and removes nothing that was used this week', async () => {
    const [archive = ''] = archives();
    const packedAt = statSync(archive).birthtimeMs;
    const database = await openTestDatabase(cache);
    assert.ok((await countTables(database)) > 40);
    await database.close();
    assert.equal(statSync(archive).birthtimeMs, packedAt);
  });

  test('a damaged archive is built again, and one that was not used for a week is removed', async () => {
    const [archive = ''] = archives();
    writeFileSync(archive, readFileSync(archive).subarray(0, 1_000_000));
    const old = join(cache, 'linux-0-old.tar');
    writeFileSync(old, '');
    utimesSync(old, 0, 0);
    const database = await openTestDatabase(cache);
    assert.ok((await countTables(database)) > 40);
    await database.close();
    assert.deepEqual(archives(), [archive]);
    assert.ok(statSync(archive).size > 10_000_000);
  });

  test('nothing is left running, and no folder in the temporary folder', () => {
    assert.deepEqual(temporaryFolders(), []);
    assert.deepEqual(processesOf(cache), []);
  });
});
