import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AlreadyServing } from '../../server/platform/db/embedded/open.ts';
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
import { holdsFor } from '../support/time/wait.ts';

prepareDatabaseDir();

test('a second server is rejected, with the name and pid of the running one', async (t) => {
  const dataDir = aDatabaseDir(t);
  const first = hold(t, dataDir, 'server');
  await first.fact('open');

  await assert.rejects(open(t, dataDir, { waitMs: 200 }), (error) => {
    assert.ok(error instanceof AlreadyServing);
    assert.equal(
      error.message,
      `Another Tributary (process ${first.pid}) is already serving ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
    );
    return true;
  });
  assert.ok(isPostmaster(postmasterOf(dataDir) ?? 0), 'the rejected one stopped the database');
});

test('of servers that start at the same moment on an empty folder exactly one wins', async (t) => {
  const dataDir = aDataDir(t);
  const racers = Array.from({ length: 4 }, () => hold(t, dataDir, 'server', 500));
  const outcomes = await Promise.all(racers.map((racer) => racer.fact('open', 'rejected', 'failed')));
  assert.deepEqual(outcomes.map((fact) => fact.event).sort(), ['open', 'rejected', 'rejected', 'rejected']);
  assert.ok(isPostmaster(postmasterOf(dataDir) ?? 0));
});

test('of servers that start at the same moment on an existing folder exactly one wins', async (t) => {
  const dataDir = aDatabaseDir(t);
  const racers = Array.from({ length: 4 }, () => hold(t, dataDir, 'server', 300));
  const outcomes = await Promise.all(racers.map((racer) => racer.fact('open', 'rejected', 'failed')));
  assert.deepEqual(outcomes.map((fact) => fact.event).sort(), ['open', 'rejected', 'rejected', 'rejected']);
});

test('a server waits for its predecessor to stop', async (t) => {
  const dataDir = aDatabaseDir(t);
  const first = hold(t, dataDir, 'server');
  await first.fact('open');
  const second = hold(t, dataDir, 'server', 8_000);
  await second.fact('log');
  await first.stop('SIGTERM');
  assert.equal((await second.fact('open')).how, 'started');
});

test('a command works beside a server and leaves it running', async (t) => {
  const dataDir = aDatabaseDir(t);
  const server = hold(t, dataDir, 'server');
  const { postmaster = 0 } = await server.fact('open');

  const command = await open(t, dataDir, { role: 'command' });
  assert.equal(command.how, 'joined');
  await query(command, 'create table made_by_command (id int)');
  await command.close();
  assert.equal(postmasterOf(dataDir), postmaster);
  assert.ok(isPostmaster(postmaster));
});

test('a command without a server runs the database and stops it again', async (t) => {
  const dataDir = aDataDir(t);
  const command = await open(t, dataDir, { role: 'command' });
  assert.equal(command.how, 'new');
  const pid = postmasterOf(dataDir) ?? 0;
  await command.close();
  assert.ok(!isPostmaster(pid));
});

test('a command that runs the database lets other commands finish before it stops', async (t) => {
  const dataDir = aDatabaseDir(t);
  const owner = await open(t, dataDir, { role: 'command' });
  const guest = await open(t, dataDir, { role: 'command' });
  assert.equal(guest.how, 'joined');

  let isClosed = false;
  const closing = owner.close().then(() => (isClosed = true));
  await holdsFor(300, 'the database runs while another command uses it', () => !isClosed);
  assert.deepEqual(await query(guest, 'select 1 as one'), [{ one: 1 }]);
  await guest.close();
  await closing;
  assert.equal(postmasterOf(dataDir), null);
});

test('a server that meets a command waits for it, then runs the database itself', async (t) => {
  const dataDir = aDatabaseDir(t);
  const command = await open(t, dataDir, { role: 'command', name: 'import' });
  await assert.rejects(open(t, dataDir, { waitMs: 100 }), /process \d+\) is still running "import" on/);

  const server = hold(t, dataDir, 'server', 8_000);
  assert.match((await server.fact('log')).message ?? '', /is still running "import".*waiting up to 8 s/);
  await command.close();
  assert.equal((await server.fact('open')).how, 'started');
});

test('a crowd of commands on an empty folder all get a database, and it stops with the last', async (t) => {
  const dataDir = aDataDir(t);
  const crowd = Array.from({ length: 5 }, () => hold(t, dataDir, 'command', 60_000));
  await Promise.all(
    crowd.map(async (command) => {
      const { event, message } = await command.fact('open', 'failed', 'rejected');
      assert.equal(event, 'open', message);
      await command.stop('SIGTERM');
      assert.equal(command.facts.at(-1)?.event, 'closed');
    }),
  );
  await until(() => postmasterOf(dataDir) === null);
});
