// Backups through the command line: taken while orders are recorded, restored into a new installation and over an
// existing one.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { numberAllEvents } from '../../server/messaging/events/number.ts';
import type { TableEnd } from '../../server/operations/backup/manifest.ts';
import { createDemo } from '../../server/operations/demo/demo.ts';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import type { TestProgram } from '../support/harness.ts';
import { type Installation, openInstallation } from '../support/operator.ts';
import { isLong } from '../support/time/length.ts';

/** A program with data in many tables; with DEMO=1 the demo, which takes longer. */
type Store = { programId: string; apiKey: string; referralCode?: string | undefined };

async function openStore({ asService: service, ctx }: Installation): Promise<Store> {
  if (isLong) return createDemo(ctx, async () => {});
  const { programId, key, path } = service.program;
  await aRule(service, { rate: 10 });
  const ada = await anAffiliate(service, { status: 'active' });
  const set = await service.request('POST', `${path}/affiliates/${ada.id}/payout-details`, { body: { method: 'external', account: 'a' } });
  assert.equal(set.status, 201, set.text);
  const orders = await Promise.all(
    Array.from({ length: 20 }, (_, index) => anOrder(service, { affiliateId: ada.id, amountCents: 1000 + index })),
  );
  const refund = { orderId: orders[0].orderId, amountCents: 300, refundId: 'r-1' };
  const refunded = await service.request('POST', '/v1/refunds', { body: refund });
  assert.equal(refunded.status, 201, refunded.text);
  return { programId, apiKey: key, referralCode: ada.referralCode };
}

describe('a backup', () => {
  let place: Installation;
  let store: Store;
  let second: TestProgram;
  let folder: string;
  let file: string;
  let tables: TableEnd[];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-backup-'));
    await chmod(folder, 0o755);
    file = join(folder, 'all.backup');
    place = await openInstallation();
    store = await openStore(place);
    second = await place.newProgram('Second');
  });
  after(async () => {
    await place.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const path = () => `/v1/programs/${store.programId}`;
  const request = (method: string, what: string, body?: object) =>
    place.asService.request(method, `${path()}/${what}`, { key: store.apiKey, body });
  const recordOrder = async (orderId: string) => {
    const body = { orderId, amountCents: 5000, referralCode: store.referralCode };
    const answer = await place.asService.request('POST', '/v1/conversions', { key: store.apiKey, body });
    assert.equal(answer.status, 201, answer.text);
  };

  test('is taken while orders are recorded, and is a consistent state of a moment', async () => {
    const state = { isRunning: true, recorded: 0 };
    const writers = [1, 2].map(async (writer) => {
      for (; state.isRunning; state.recorded += 1) await recordOrder(`during-${writer}-${state.recorded}`);
    });
    const taken = await place.tributary('backup', file, '--json').finally(() => {
      state.isRunning = false;
    });
    await Promise.all(writers);
    assert.equal(taken.code, 0, taken.stderr);
    tables = JSON.parse(taken.stdout).tables;
    assert.ok(state.recorded > 0);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(folder), ['all.backup']);
    assert.equal((await place.tributary('restore', file, '--check')).code, 0);
  });

  test('does not overwrite a file, and is named after the time in a folder', async () => {
    const again = await place.tributary('backup', file);
    assert.deepEqual([again.code, /already exists/.test(again.stderr)], [1, true]);
    const named = await place.tributary('backup', folder);
    assert.match(named.stdout, /tributary-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.backup/);
    assert.match(named.stdout, /The keys are not in it\. Keep a copy of .*secret-keys in another place/);
  });

  test('is restored into a new installation: every table is equal, and verify finds nothing', async () => {
    const home = join(folder, 'restored');
    const elsewhere = { DATA_DIR: home };
    mkdirSync(home);
    copyFileSync(join(place.folder, 'secret-keys'), join(home, 'secret-keys'));
    const restored = await place.tributaryWith(elsewhere, 'restore', file);
    assert.equal(restored.code, 0, restored.stderr);
    const verified = await place.tributaryWith(elsewhere, 'verify', '--json');
    assert.equal(verified.code, 0, verified.stdout);
    const copy = await place.tributaryWith(elsewhere, 'backup', join(folder, 'copy.backup'), '--json');
    assert.equal(copy.code, 0, copy.stderr);
    // A restore moves the ends of logs, and lets every program be looked at.
    const isEqual = ({ name }: TableEnd) => !['event_log_ends', 'program_work'].includes(name);
    const expected = tables.filter(isEqual);
    const found = (JSON.parse(copy.stdout).tables as TableEnd[]).filter(isEqual);
    assert.deepEqual(found.filter(({ name }) => name !== 'background jobs'), expected.filter(({ name }) => name !== 'background jobs')); // biome-ignore format: one comparison
    assert.equal(found.at(-1)?.rows, expected.at(-1)?.rows, 'every open job is queued again');
    assert.ok(expected.length > 80 && expected.some(({ name, rows }) => name === 'commissions' && rows > 0));
  });

  test('is not restored without its keys, unless that is requested; then every command asks for them', async () => {
    const home = join(folder, 'without-keys');
    const elsewhere = { DATA_DIR: home };
    const keys = join(home, 'secret-keys');
    const checked = await place.tributaryWith(elsewhere, 'restore', file, '--check');
    assert.deepEqual([checked.code, /needs the secret key [0-9a-f]{8}, which is not in .*secret-keys/.test(checked.stderr)], [0, true]);
    const rejected = await place.tributaryWith(elsewhere, 'restore', file);
    assert.equal(rejected.code, 1);
    assert.match(rejected.stderr, /needs the secret key [0-9a-f]{8}, which is not in .*secret-keys.*--without-keys/s);
    const restored = await place.tributaryWith(elsewhere, 'restore', file, '--without-keys');
    assert.equal(restored.code, 0, restored.stderr);
    for (const command of ['verify', 'doctor', 'secrets list', 'secrets replace', 'backup .']) {
      const { code, stderr } = await place.tributaryWith(elsewhere, ...command.split(' '));
      assert.equal(code, 1, `${command} ran`);
      assert.match(stderr, /encrypted with the secret key [0-9a-f]{8}.* no key in .*secret-keys/s, command);
      assert.equal(existsSync(keys), false, `${command} created a key`);
    }
    writeFileSync(keys, `${randomBytes(32).toString('base64')}\n`);
    const verified = await place.tributaryWith(elsewhere, 'verify');
    assert.deepEqual([verified.code, /FAILED .*every encrypted value can be decrypted/.test(verified.stderr)], [1, true], verified.stderr);
    copyFileSync(join(place.folder, 'secret-keys'), keys);
    assert.equal((await place.tributaryWith(elsewhere, 'verify')).code, 0);
  });

  test('is rejected over data and beside a running server, and changes nothing', async () => {
    const running = await place.tributary('restore', file, '--replace');
    assert.deepEqual(
      [running.code, /Other processes use this database.*Stop every server/.test(running.stderr)],
      [1, true],
      running.stderr,
    );
    await place.restart(async () => {
      const rejected = await place.tributary('restore', file);
      assert.deepEqual([rejected.code, /contains data.*--replace/.test(rejected.stderr)], [1, true], rejected.stderr);
    });
    assert.equal((await request('GET', 'affiliates?limit=1')).status, 200);
  });

  test('is restored over the same installation: payouts are locked, events continue, reconciling unlocks', async () => {
    await recordOrder('after-the-backup');
    const schema = await readSchema(place);
    const newest = await newestPosition(place);
    await place.restart(async () => {
      const restored = await place.tributary('restore', file, '--replace');
      assert.equal(restored.code, 0, restored.stderr);
    });
    assert.deepEqual(await readSchema(place), schema);
    const dispatched = await request('POST', 'payouts/dispatch', {});
    assert.deepEqual(
      [dispatched.status, dispatched.body.code, dispatched.body.lockReason],
      [503, 'reconciliation_required', 'database_restored'],
    );
    const other = await place.asService.request('POST', `${second.path}/payouts/dispatch`, { key: second.key, body: {} });
    assert.deepEqual([other.status, other.body.code], [503, 'reconciliation_required'], 'every program is locked');

    await recordOrder('after-the-backup');
    assert.ok((await newestPosition(place)) > newest, 'positions that were read before the restore are not used again');
    const reconciled = await request('POST', 'payouts/reconcile', { acknowledge: true });
    assert.deepEqual([reconciled.status, reconciled.body.isUnlocked], [200, true], reconciled.text);
    assert.notEqual((await request('POST', 'payouts/dispatch', { dryRun: true })).status, 503);
    assert.equal((await place.tributary('verify')).code, 0);
  });
});

async function newestPosition({ ctx }: Installation): Promise<number> {
  await numberAllEvents(ctx);
  const { rows } = await sql<{ position: number }>`select max(position) as position from events`.execute(ctx.db);
  return rows[0]?.position ?? 0;
}

/** Every constraint and index. */
async function readSchema({ ctx }: Installation): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated as line from pg_constraint
    where connamespace = 'public'::regnamespace
    union all select pg_get_indexdef(indexrelid) from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace order by line`.execute(ctx.db);
  assert.ok(rows.length > 300);
  return rows.map(({ line }) => line);
}
