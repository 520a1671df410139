// The commands of an operator on a Citus cluster. Needs CITUS_URL.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sealAuditLogs } from '../../server/platform/audit/seal.ts';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import { cloneDatabase, emptyDatabase, openTestService, type TestService, template } from '../support/harness.ts';
import type { Database } from '../support/hosts/cluster.ts';
import { type Outcome, run } from '../support/operator.ts';
import { startServer } from '../tracking/two-servers.ts';

const skip = template().workers ? false : 'needs CITUS_URL';
const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
/** No server listens on it. */
const closedPort = 1;

describe('on a cluster, the command', { skip }, () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let service: TestService;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-cluster-'));
    database = await cloneDatabase();
    service = await openTestService({ database: database.connection, vaultKey: oldKey });
    const programs = [service.program, service.foreign, await service.newProgram('Third')];
    for (const program of programs) {
      await aRule(service, { rate: 10 }, program);
      const ada = await anAffiliate(service, { status: 'active' }, program);
      await anOrder(service, { affiliateId: ada.id }, program);
      const details = { key: program.key, body: { method: 'external', account: 'ada' } };
      const set = await service.request('POST', `${program.path}/affiliates/${ada.id}/payout-details`, details);
      assert.equal(set.status, 201, set.text);
    }
    await sealAuditLogs.run(service.ctx, {}, { isLast: true });
  });
  after(async () => {
    await service.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const toEnvironment = ({ host, port, user, database: name }: Database, keys: Buffer[]) => ({
    DATABASE_URL: `postgres://${user}@${host}:${port}/${name}`,
    DATA_DIR: folder,
    SECRET_KEYS: keys.map((key) => key.toString('base64')).join(','),
    LOG_LEVEL: 'silent',
  });
  const tributary = (args: string[], keys: Buffer[], place: Database = database.connection) => run(args, toEnvironment(place, keys));
  const parse = ({ code, stdout, stderr }: Outcome) => {
    assert.ok(code === 0 || stdout !== '', stderr);
    return JSON.parse(stdout);
  };

  test('doctor checks the values and emails of all programs, and the nodes', async () => {
    const { isHealthy, checks } = parse(await tributary(['doctor', '--json'], [oldKey]));
    const finding = (name: string) => checks.find((check: { name: string }) => check.name === name)?.finding;
    assert.equal(isHealthy, true, JSON.stringify(checks));
    assert.match(finding('Cluster'), /^Citus .*, 3 nodes$/);
    assert.match(finding('Secrets'), /^every encrypted value can be decrypted/);
  });

  test('secrets rotate encrypts the values of every program with the new key', async () => {
    const rotated = await tributary(['secrets', 'rotate'], [newKey, oldKey]);
    assert.equal(rotated.code, 0, rotated.stderr);
    const keys = parse(await tributary(['secrets', 'list', '--json'], [newKey, oldKey]));
    assert.deepEqual(
      keys.map(({ state, values }: { state: string; values: number }) => [state, values > 0]),
      [
        ['encrypts', true],
        ['decrypts', false],
      ],
    );
  });

  test('verify finds every program consistent', async () => {
    const { isConsistent, failedPrograms, findings } = parse(await tributary(['verify', '--json'], [newKey]));
    const broken = findings.filter((finding: { broken: unknown[] }) => finding.broken.length > 0);
    assert.deepEqual([broken, failedPrograms, isConsistent], [[], [], true]);
  });

  test('backup writes what restore loads into one PostgreSQL, with the same rows', async () => {
    const file = join(folder, 'cluster.backup');
    const backup = await tributary(['backup', file, '--json'], [newKey]);
    assert.equal(backup.code, 0, backup.stderr);
    const other = await emptyDatabase();
    try {
      const restored = await tributary(['restore', file, '--json'], [newKey], other.connection);
      assert.equal(restored.code, 0, restored.stderr);
      const { isConsistent } = parse(await tributary(['verify', '--json'], [newKey], other.connection));
      assert.equal(isConsistent, true);
    } finally {
      await other.drop();
    }
  });

  test('doctor names a node that is down, and serve starts nevertheless', async (t) => {
    const { workers: [worker] = [] } = database.connection;
    const move = (from: number | undefined, to: number | undefined) =>
      service.pool.query(`select citus_update_node(nodeid, nodename, ${to}) from pg_dist_node where nodeport = ${from}`);
    await move(worker?.port, closedPort);
    t.after(() => move(closedPort, worker?.port));
    const { checks } = parse(await tributary(['doctor', '--json'], [newKey]));
    const finding = (name: string) => checks.find((check: { name: string }) => check.name === name)?.finding;
    assert.match(finding('Cluster'), new RegExp(`:${closedPort}: `));
    assert.match(finding('Secrets'), /^not checked/);
    const processes: ChildProcess[] = [];
    const server = await startServer(toEnvironment(database.connection, [newKey]), processes);
    const ready = await fetch(`http://127.0.0.1:${server.port}/health/ready`);
    assert.match(await ready.text(), /"status":"degraded"/);
    for (const child of processes) if (child.kill('SIGTERM')) await once(child, 'exit');
  });
});
