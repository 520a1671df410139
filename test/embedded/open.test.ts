import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { aDatabaseDir, aDataDir, hold, isPostmaster, open, postmasterOf, prepareDatabaseDir, query } from '../support/embedded/harness.ts';

prepareDatabaseDir();

test('a new data folder gets a durable UTF-8 database that only its socket folder leads to', async (t) => {
  const dataDir = aDataDir(t);
  const database = await open(t, dataDir, { settings: {} });

  assert.equal(database.how, 'new');
  assert.equal(database.connection.host, path.join(dataDir, 'run'));
  assert.equal(fs.statSync(database.connection.host).mode & 0o777, 0o700);
  const rows = await query(
    database,
    `select current_setting('fsync') fsync, current_setting('synchronous_commit') commit, current_setting('data_checksums') sums,
            current_setting('listen_addresses') addresses, current_database() db, current_user who,
            pg_encoding_to_char(encoding) encoding, datlocprovider::text provider, datlocale locale
       from pg_database where datname = current_database()`,
  );
  assert.deepEqual(rows, [
    {
      fsync: 'on',
      commit: 'on',
      sums: 'on',
      addresses: '',
      db: 'tributary',
      who: 'tributary',
      encoding: 'UTF8',
      provider: 'b',
      locale: 'C.UTF-8',
    },
  ]);
});

test('a later start has the data, and does not create the database again', async (t) => {
  const dataDir = aDataDir(t);
  const first = await open(t, dataDir);
  await query(first, 'create table kept as select 42 as answer');
  await first.close();

  const second = await open(t, dataDir);
  assert.equal(second.how, 'started');
  assert.deepEqual(await query(second, 'select answer from kept'), [{ answer: 42 }]);
});

test('a clean stop leaves no process, no lock file and nothing in the temporary folder', async (t) => {
  const dataDir = aDatabaseDir(t, 'x'.repeat(120));
  const held = hold(t, dataDir, 'server');
  const { postmaster = 0, host = '' } = await held.fact('open');
  assert.ok(isPostmaster(postmaster));
  await held.stop('SIGTERM');

  assert.equal(held.facts.at(-1)?.event, 'closed');
  assert.ok(!isPostmaster(postmaster));
  assert.equal(postmasterOf(dataDir), null);
  assert.ok(!fs.existsSync(host));
});

test('closing twice is closing once', async (t) => {
  const database = await open(t, aDatabaseDir(t));
  await Promise.all([database.close(), database.close()]);
  await database.close();
});

test('a data folder whose path is too long for a socket works, and others find the socket', async (t) => {
  const dataDir = aDataDir(t, 'a-rather-long-name'.repeat(4), 'and-another-one'.repeat(4), 'data');
  const database = await open(t, dataDir);
  assert.ok(database.connection.host.length < 100);
  assert.equal(fs.statSync(database.connection.host).mode & 0o777, 0o700);

  const command = await open(t, dataDir, { role: 'command' });
  assert.equal(command.how, 'joined');
  assert.deepEqual(command.connection, database.connection);
  assert.deepEqual(await query(command, 'select 1 as one'), [{ one: 1 }]);
});

test('a data folder with spaces, commas and quotes in its name works', async (t) => {
  const database = await open(t, aDataDir(t, `a, b "c" 'd' é`));
  assert.deepEqual(await query(database, 'select 1 as one'), [{ one: 1 }]);
});

test('a database that cannot start reports its own error message', async (t) => {
  const dataDir = aDatabaseDir(t);
  await assert.rejects(
    open(t, dataDir, { settings: { shared_buffers: 'nonsense' } }),
    /did not start.*\n.*invalid value for parameter "shared_buffers"/,
  );
});
