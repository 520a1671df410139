import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { canTraverse } from '../../server/platform/db/embedded/account.ts';
import { aDataDir, hold, isRoot, open, query } from '../support/embedded/harness.ts';

const nobody = { uid: 65534, gid: 65534 };
const checkout = path.join(import.meta.dirname, '..', '..');
const nobodyCanRun = isRoot && canTraverse(nobody, checkout) && canTraverse(nobody, fs.realpathSync(path.dirname(process.execPath)));

test('as root a data folder that the database may not enter is replaced by another, which is reported', { skip: !isRoot }, async (t) => {
  const dataDir = aDataDir(t, 'home', 'data');
  fs.mkdirSync(path.dirname(dataDir), { mode: 0o700 });
  const database = await open(t, dataDir);
  await query(database, 'create table kept as select 42 as answer');
  const location = fs.readFileSync(path.join(dataDir, 'postgres-location'), 'utf8').trim();
  assert.match(location, /^\/var\/lib\/tributary\/[0-9a-f]{12}\/postgres$/);
  assert.ok(fs.statSync(location).uid !== 0);
  assert.equal(fs.statSync(path.dirname(dataDir)).mode & 0o777, 0o700);
  await database.close();

  const again = await open(t, dataDir);
  assert.equal(again.how, 'started');
  assert.deepEqual(await query(again, 'select answer from kept'), [{ answer: 42 }]);
});

test('as root two first starts in a closed folder agree on one database', { skip: !isRoot }, async (t) => {
  const dataDir = aDataDir(t, 'home', 'data');
  fs.mkdirSync(path.dirname(dataDir), { mode: 0o700 });
  const racers = [hold(t, dataDir, 'server', 300), hold(t, dataDir, 'server', 300)];
  const outcomes = await Promise.all(racers.map((racer) => racer.fact('open', 'refused', 'failed')));
  assert.deepEqual(outcomes.map((fact) => fact.event).sort(), ['open', 'refused']);
});

test('as root a data folder that was deleted does not give its old data to its successor', { skip: !isRoot }, async (t) => {
  const dataDir = aDataDir(t, 'home', 'data');
  fs.mkdirSync(path.dirname(dataDir), { mode: 0o700 });
  await (await open(t, dataDir)).close();
  const old = fs.readFileSync(path.join(dataDir, 'postgres-location'), 'utf8').trim();
  t.after(() => fs.rmSync(path.dirname(old), { recursive: true, force: true }));
  fs.rmSync(dataDir, { recursive: true });

  const database = await open(t, dataDir);
  assert.equal(database.how, 'new');
  assert.ok(fs.existsSync(old));
});

test('an ordinary user runs the database as itself', { skip: !nobodyCanRun }, async (t) => {
  const dataDir = aDataDir(t);
  fs.mkdirSync(dataDir);
  fs.chownSync(dataDir, nobody.uid, nobody.gid);
  const held = hold(t, dataDir, 'server', 0, nobody.uid);
  assert.equal((await held.fact('open', 'failed')).event, 'open');
  assert.equal(fs.statSync(path.join(dataDir, 'postgres')).uid, nobody.uid);
  await held.stop('SIGTERM');

  // Later used by root: the database keeps the owner it has.
  const asRoot = await open(t, dataDir);
  assert.equal(asRoot.how, 'started');
  assert.deepEqual(await query(asRoot, 'select 1 as one'), [{ one: 1 }]);
});

test('an ordinary user gets an error for the database of another user', { skip: !nobodyCanRun }, async (t) => {
  const dataDir = aDataDir(t);
  await (await open(t, dataDir)).close();
  const held = hold(t, dataDir, 'server', 0, nobody.uid);
  assert.match((await held.fact('failed')).message ?? '', /belongs to another user/);
});
