// A real server loses the primary of its database while orders, clicks and reads arrive; the standby takes over. Longer:
// TEST_LENGTH=20 npm test -- test/hosts/failover.test.ts
import assert from 'node:assert/strict';
import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { openReplicatedDatabase, type ReplicatedDatabase } from '../support/hosts/replicated-database.ts';
import { often } from '../support/time/length.ts';
import { until } from '../support/time/wait.ts';
import { click, type Server, startServer } from '../tracking/two-servers.ts';

const connections = 8;
/** Processors are shared with other tests; on a quiet machine it is about a second. */
const longestMs = 5000;

type Shop = { server: Server; path: string; key: string; affiliate: { id: string; referralCode: string } };

type Outcome = { kind: string; status: number; at: number };

describe('a server whose database fails over', () => {
  test('to a synchronous standby loses nothing that it acknowledged, and payouts continue', async (t) => {
    const database = await openReplicatedDatabase();
    const shop = await openShop(database, t.after.bind(t));
    assert.equal(await describeStandby(database), '1 standby; commits wait for it, so a failover loses nothing');
    for (let round = 0; round < often(1); round += 1) {
      const load = startLoad(shop, `round${round}`);
      await load.reaches(40);
      await database.primary.kill();
      await load.isRejected();
      await database.promote();
      const promotedAt = performance.now();
      await load.reaches(40, promotedAt);
      const { outcomes, orders } = await load.stop();
      const failures = outcomes.filter(({ status }) => ![200, 201, 302, 503].includes(status));
      assert.deepEqual(failures, [], 'only 503 while no primary answers');
      const firstMs = Math.min(...outcomes.filter(({ status, at }) => status === 201 && at > promotedAt).map(({ at }) => at)) - promotedAt;
      assert.ok(firstMs < longestMs, `${Math.round(firstMs)} ms without an accepted order after the promotion`);
      const stored = new Set((await database.standby.run<{ id: string }>('select order_id as id from conversions')).map(({ id }) => id));
      assert.deepEqual(
        [...orders].filter((id) => !stored.has(id)),
        [],
        'acknowledged orders that are lost',
      );
      assert.equal(shop.server.process.exitCode, null, 'the process was restarted');
      assert.notEqual(await dispatchCode(shop), 'reconciliation_required');
      t.diagnostic(
        `${orders.size} orders accepted, ${outcomes.filter(({ status }) => status === 503).length} × 503, ${Math.round(firstMs)} ms`,
      );
      await database.rebuildStandby();
    }
  });

  test('to an asynchronous standby locks payouts until they are reconciled', async (t) => {
    const database = await openReplicatedDatabase({ isSynchronous: false });
    const shop = await openShop(database, t.after.bind(t));
    assert.equal(await describeStandby(database), '1 standby; not synchronous, so a failover can lose commits');
    assert.notEqual(await dispatchCode(shop), 'reconciliation_required');
    await database.primary.kill();
    await database.promote();
    await until('the server is ready again', async () => (await send(shop, 'GET', '/v1/me')).status === 200);
    assert.equal(await dispatchCode(shop), 'reconciliation_required');
  });
});

async function openShop(database: ReplicatedDatabase, after: (end: () => Promise<void>) => void): Promise<Shop> {
  const processes: ChildProcess[] = [];
  after(async () => {
    for (const child of processes) if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    await database.close();
  });
  const environment = { DATABASE_URL: database.url, LOG_LEVEL: 'silent' };
  const server = await startServer(environment, processes, { keepsTime: true });
  const args = ['program', 'create', '--name', 'Brand', '--website', 'https://brand.example/'];
  const { programId, apiKey } = (await runCommand(database, args)) as { programId: string; apiKey: string };
  const shop = { server, path: `/v1/programs/${programId}`, key: apiKey, affiliate: { id: '', referralCode: '' } };
  const ada = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', autoApprove: true, sendInvite: false };
  const { status, body } = await send(shop, 'POST', `${shop.path}/affiliates`, ada);
  assert.equal(status, 201);
  return { ...shop, affiliate: body as Shop['affiliate'] };
}

async function runCommand({ url }: ReplicatedDatabase, args: string[]): Promise<unknown> {
  const env = { ...process.env, DATABASE_URL: url, LOG_LEVEL: 'silent' };
  const { stdout } = await promisify(execFile)(process.execPath, ['server/operations/cli/main.ts', ...args, '--json'], { env });
  return JSON.parse(stdout);
}

async function describeStandby(database: ReplicatedDatabase): Promise<string | undefined> {
  const { checks } = (await runCommand(database, ['doctor'])) as { checks: { name: string; finding: string }[] };
  return checks.find(({ name }) => name === 'Standby')?.finding;
}

async function send({ server, key }: Pick<Shop, 'server' | 'key'>, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function dispatchCode(shop: Shop): Promise<unknown> {
  const { body } = await send(shop, 'POST', `${shop.path}/payouts/dispatch`, { dryRun: true });
  return body.code;
}

/** Sends orders, reads and clicks on several connections until it is stopped. */
function startLoad(shop: Shop, name: string) {
  const outcomes: Outcome[] = [];
  const orders = new Set<string>();
  const agent = new Agent({ keepAlive: true });
  let isStopped = false;
  const note = (kind: string, status: number) => outcomes.push({ kind, status, at: performance.now() });
  const order = async (orderId: string) => {
    const signals = { orderId, amountCents: 10_000, affiliateId: shop.affiliate.id };
    const { status } = await send(shop, 'POST', '/v1/conversions', signals);
    note('order', status);
    if (status === 201) orders.add(orderId);
  };
  const work = async (connection: number) => {
    for (let count = 0; !isStopped; count += 1) {
      await order(`${name}-${connection}-${count}`);
      note('read', (await send(shop, 'GET', `${shop.path}/conversions?limit=5`)).status);
      const { isRedirected } = await click(agent, { port: shop.server.port, code: shop.affiliate.referralCode });
      note('click', isRedirected ? 302 : 0);
    }
  };
  const working = Promise.all(Array.from({ length: connections }, (_, connection) => work(connection)));
  return {
    /** Waits for this many accepted orders. */
    reaches: (count: number, since = 0) =>
      until(`${count} orders are accepted`, () => outcomes.filter(({ status, at }) => status === 201 && at > since).length >= count),
    /** Waits until the loss of the primary is noticed. */
    isRejected: () => until('requests are rejected', () => outcomes.some(({ status }) => status === 503)),
    async stop() {
      isStopped = true;
      await working;
      agent.destroy();
      return { outcomes, orders };
    },
  };
}
