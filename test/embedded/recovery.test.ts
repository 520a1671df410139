import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { acquire } from '../../server/platform/db/embedded/acquire.ts';
import { findLocation } from '../../server/platform/db/embedded/location.ts';
import type { EmbeddedDatabase } from '../../server/platform/db/embedded/open.ts';
import { supervise } from '../../server/platform/db/embedded/supervise.ts';
import {
  aDatabaseDir,
  aDataDir,
  hold,
  isPostmaster,
  open,
  postmasterOf,
  prepareDatabaseDir,
  query,
  until,
} from '../support/embedded/harness.ts';

prepareDatabaseDir();

test('the database of a killed server is adopted with its data, and stopped by its new owner', async (t) => {
  const dataDir = aDatabaseDir(t);
  const first = await open(t, dataDir);
  await query(first, 'create table kept as select 42 as answer');
  await first.close();
  const killed = hold(t, dataDir, 'server');
  const { postmaster = 0 } = await killed.fact('open');
  await killed.stop('SIGKILL');
  assert.ok(isPostmaster(postmaster), 'the database died with its owner');

  const heir = await open(t, dataDir, { waitMs: 5_000 });
  assert.equal(heir.how, 'adopted');
  assert.equal(postmasterOf(dataDir), postmaster);
  assert.deepEqual(await query(heir, 'select answer from kept'), [{ answer: 42 }]);
  await heir.close();
  assert.ok(!isPostmaster(postmaster));
});

test('a command adopts an orphan too, and stops it', async (t) => {
  const dataDir = aDatabaseDir(t);
  const killed = hold(t, dataDir, 'server');
  const { postmaster = 0, host = '' } = await killed.fact('open');
  await killed.stop('SIGKILL');
  // PostgreSQL notices the end of a process a moment later; until then, a command joins it.
  await until(async () => (await lockHolders({ connection: { host, port: 5432, user: 'tributary', database: 'tributary' } })) === 0);

  const command = await open(t, dataDir, { role: 'command' });
  assert.equal(command.how, 'adopted');
  await command.close();
  assert.ok(!isPostmaster(postmaster));
});

test('after kill -9 of owner and database together the next start works and has all committed data', async (t) => {
  const dataDir = aDatabaseDir(t);
  const killed = hold(t, dataDir, 'server');
  const { postmaster = 0 } = await killed.fact('open');
  const beside = await open(t, dataDir, { role: 'command' });
  await query(beside, 'create table kept as select 42 as answer');
  process.kill(postmaster, 'SIGKILL');
  await killed.stop('SIGKILL');
  await beside.close();

  const next = await open(t, dataDir, { waitMs: 5_000 });
  assert.deepEqual(await query(next, 'select answer from kept'), [{ answer: 42 }]);
});

test('a killed database comes back at the same address with its data, and still has its owner', async (t) => {
  const dataDir = aDatabaseDir(t, 'x'.repeat(120));
  const lost: Error[] = [];
  const database = await open(t, dataDir, { onLost: (error) => lost.push(error) });
  const guest = await open(t, dataDir, { role: 'command', onLost: (error) => lost.push(error) });
  await query(database, 'create table kept as select 42 as answer');

  for (let round = 0; round < 2; round += 1) await killAndAwaitReturn(dataDir, database);
  assert.deepEqual(await query(guest, 'select answer from kept'), [{ answer: 42 }]);
  await until(async () => (await lockHolders(database)) === 2);
  await assert.rejects(open(t, dataDir), /is already serving/);
  assert.deepEqual(lost, []);
  await guest.close();
  const pid = postmasterOf(dataDir) ?? 0;
  await database.close();
  assert.ok(!isPostmaster(pid));
});

test('an adopted database that is killed comes back too', async (t) => {
  const dataDir = aDatabaseDir(t);
  const killed = hold(t, dataDir, 'server');
  await killed.fact('open');
  await killed.stop('SIGKILL');
  const heir = await open(t, dataDir, { waitMs: 5_000 });
  await killAndAwaitReturn(dataDir, heir);
});

test('an owner whose connection is cut takes its lock again', async (t) => {
  const dataDir = aDatabaseDir(t);
  const database = await open(t, dataDir);
  const pid = postmasterOf(dataDir);
  await query(database, `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'tributary server%'`);
  await until(async () => (await lockHolders(database)) === 1);
  assert.equal(postmasterOf(dataDir), pid);
  await assert.rejects(open(t, dataDir), /is already serving/);
});

test('a database that cannot be restarted is reported as lost, and closing still works', async (t) => {
  const dataDir = aDatabaseDir(t);
  const { pid, lost, close } = await aWatchedDatabase(dataDir);
  fs.writeFileSync(path.join(dataDir, 'postgres', 'global', 'pg_control'), 'not a control file');
  process.kill(pid, 'SIGKILL');

  const error = await lost;
  assert.match(error.message, /cannot be restarted/);
  assert.match(String(error.cause), /did not start/);
  await close();
});

test('a database folder that disappears is reported as lost and not replaced by an empty one', async (t) => {
  const dataDir = aDatabaseDir(t);
  const { pid, lost, close } = await aWatchedDatabase(dataDir);
  const clusterDir = path.join(dataDir, 'postgres');
  fs.renameSync(clusterDir, `${clusterDir}-elsewhere`);
  process.kill(pid, 'SIGKILL');

  assert.match(String((await lost).cause), /has disappeared/);
  assert.ok(!fs.existsSync(clusterDir));
  await close();
});

test('an interrupted initialisation is cleaned up and done again', async (t) => {
  const dataDir = aDataDir(t);
  const killed = hold(t, dataDir, 'server');
  await until(() => fs.existsSync(dataDir) && fs.readdirSync(dataDir).some((name) => name.startsWith('postgres.new-')));
  await killed.stop('SIGKILL');
  const database = await open(t, dataDir);
  assert.equal(database.how, 'new');
  await query(database, 'create table kept as select 42 as answer');
  await database.close();

  // The initdb of the killed process may still be writing; what it leaves goes at a later start.
  await until(async () => {
    await (await open(t, dataDir)).close();
    return !fs.readdirSync(dataDir).some((name) => name.startsWith('postgres.new-'));
  });
  assert.deepEqual(await query(await open(t, dataDir), 'select answer from kept'), [{ answer: 42 }]);
});

test('a half-made database folder is put aside, never deleted', async (t) => {
  const dataDir = aDataDir(t);
  fs.mkdirSync(path.join(dataDir, 'postgres', 'base'), { recursive: true });
  fs.writeFileSync(path.join(dataDir, 'postgres', 'base', 'unknown'), 'data?');
  const messages: string[] = [];
  const database = await open(t, dataDir, { log: (message) => messages.push(message) });
  assert.equal(database.how, 'new');
  const aside = fs.readdirSync(dataDir).find((name) => name.startsWith('postgres.incomplete-')) ?? '';
  assert.equal(fs.readFileSync(path.join(dataDir, aside, 'base', 'unknown'), 'utf8'), 'data?');
  assert.match(messages.join(), /was not a complete database/);
});

test('a lock file whose pid now belongs to a stranger does not stop the start', { skip: process.platform !== 'linux' }, async (t) => {
  const dataDir = aDatabaseDir(t);
  const killed = hold(t, dataDir, 'server');
  const { postmaster = 0 } = await killed.fact('open');
  process.kill(postmaster, 'SIGKILL');
  await killed.stop('SIGKILL');
  // Of the database's own account: processes of others postgres does not take for a rival anyway.
  const stranger = spawn('sleep', ['60'], { ...findLocation(dataDir).account, stdio: 'ignore' });
  t.after(() => stranger.kill());
  const file = path.join(dataDir, 'postgres', 'postmaster.pid');
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/^\d+/, String(stranger.pid)));

  const database = await open(t, dataDir);
  assert.equal(database.how, 'started');
});

/** An open database that counts as lost quickly. */
async function aWatchedDatabase(dataDir: string): Promise<{ pid: number; lost: Promise<Error>; close(): Promise<void> }> {
  const cluster = { location: findLocation(dataDir), settings: { fsync: 'off' }, log: () => undefined, socketDir: null };
  const request = { role: 'server' as const, name: 'test', waitMs: 0, mayCreate: true };
  const first = await acquire(cluster, request);
  const { promise, resolve } = Promise.withResolvers<Error>();
  // Supervision does not keep a process running.
  const busy = setInterval(() => undefined, 1_000);
  void promise.then(() => clearInterval(busy));
  const backoff = { attempts: 3, firstPauseMs: 10, maxPauseMs: 10 };
  const { close } = supervise({ cluster, request, first, onLost: resolve, backoff });
  return { pid: first.pid, lost: promise, close };
}

async function killAndAwaitReturn(dataDir: string, database: EmbeddedDatabase): Promise<void> {
  const pid = postmasterOf(dataDir) ?? 0;
  process.kill(pid, 'SIGKILL');
  await until(() =>
    query(database, 'select 1').then(
      () => postmasterOf(dataDir) !== pid,
      () => false,
    ),
  );
  await until(async () => (await lockHolders(database)) > 0);
}

async function lockHolders(database: Pick<EmbeddedDatabase, 'connection'>): Promise<number> {
  const rows = await query<{ count: number }>(database, `select count(*)::int as count from pg_locks where locktype = 'advisory'`);
  return rows[0]?.count ?? 0;
}
