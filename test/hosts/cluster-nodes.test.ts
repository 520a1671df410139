// A real server with sixteen programs on a Citus cluster, while a node is lost, while programs are moved, and while a node is added.
// Needs CITUS_URL. With TEST_LENGTH=2, the node also crashes, which disturbs everything else on the cluster.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http, { Agent } from 'node:http';
import { describe, test } from 'node:test';
import pg from 'pg';
import { createClusterDatabase, dropClusterDatabase } from '../../scripts/tests/citus-database.ts';
import { sqlState } from '../../server/platform/db/statements/sql-state.ts';
import { anAffiliate } from '../support/builders.ts';
import { cloneDatabase, openTestService, type TestProgram, template } from '../support/harness.ts';
import type { Database } from '../support/hosts/cluster.ts';
import { openCutNode } from '../support/hosts/cut-node.ts';
import { isLong } from '../support/time/length.ts';
import { until } from '../support/time/wait.ts';
import { click, type Server, startServer } from '../tracking/two-servers.ts';

const skip = template().workers ? false : 'needs CITUS_URL';
const programs = 16;

type Shop = TestProgram & { node: string; affiliate: { id: string; referralCode: string } };
type Outcome = { kind: string; shop: Shop; status: number; at: number };

describe('a server on a cluster', { skip }, () => {
  test('serves the programs of the other nodes while one is lost, and all of them when it is back', async (t) => {
    const cluster = await openShops(t.after.bind(t), { canCut: true });
    const { shops, node, server } = cluster;
    const onNode = shops.filter((shop) => shop.node === node.address);
    assert.ok(onNode.length > 0 && onNode.length < programs, `${onNode.length} programs on the node that is lost`);
    const load = startLoad(server, shops);
    await load.each('every program has orders', shops, 2);
    const cutAt = performance.now();
    await node.cut();
    if (isLong) await node.crash();
    await load.isRejected(onNode);
    const others = shops.filter((shop) => !onNode.includes(shop));
    await load.each('the other programs continue', others, 5, performance.now());
    const restoredAt = performance.now();
    await node.restore();
    await load.each('every program has orders again', shops, 2, restoredAt);
    const { outcomes, orders, invited } = await load.stop();
    const failed = outcomes.filter(({ status }) => status >= 500 || status === 0);
    assert.deepEqual(failed.filter(({ shop }) => others.includes(shop)).map(describeOutcome), [], 'of programs on other nodes');
    assert.deepEqual(failed.filter(({ status }) => status !== 503).map(describeOutcome), [], 'other than 503');
    assert.ok(failed.every(({ at }) => at > cutAt));
    await cluster.isStored('select order_id as name from conversions', orders);
    await cluster.isStored('select email as name from affiliates', invited);
    await until('codes and addresses are registered', () => cluster.areRegistered());
    t.diagnostic(`${onNode.length} of ${programs} programs on the node, ${orders.length} orders, ${failed.length} × 503`);
  });

  test('moves programs to another node without a failed request', async (t) => {
    const cluster = await openShops(t.after.bind(t), { canCut: false });
    t.diagnostic(await keepServing(cluster, cluster.move));
  });

  test('moves programs to a node that is added without a failed request', async (t) => {
    const cluster = await openShops(t.after.bind(t), { canCut: false, open: openOneWorker });
    const addAndMove = async () => {
      await cluster.add();
      return cluster.move();
    };
    t.diagnostic(await keepServing(cluster, addAndMove));
  });
});

/** A database on the first worker of the cluster, whose other workers can be added. */
async function openOneWorker() {
  const { workers = [], ...coordinator } = template();
  const connection = { ...coordinator, workers, database: `test_${randomBytes(6).toString('hex')}` };
  await createClusterDatabase(connection, { shards: 4, first: 1 });
  return { connection, drop: () => dropClusterDatabase(connection) };
}

/** Every request succeeds while `change` moves programs, and nothing that was acknowledged is lost. Returns what was counted. */
async function keepServing(cluster: Awaited<ReturnType<typeof openShops>>, change: () => Promise<number>): Promise<string> {
  const { shops, server } = cluster;
  const load = startLoad(server, shops);
  await load.each('every program has orders', shops, 2);
  const moved = await change();
  assert.ok(moved > 0);
  await load.each('every program has orders after the move', shops, 2, performance.now());
  const { outcomes, orders, invited } = await load.stop();
  assert.deepEqual(outcomes.filter(({ status }) => status >= 400 || status === 0).map(describeOutcome), []);
  await cluster.isStored('select order_id as name from conversions', orders);
  await cluster.isStored('select email as name from affiliates', invited);
  return `${moved} programs moved, ${orders.length} orders, ${outcomes.length} requests`;
}

const describeOutcome = ({ kind, status, at }: Outcome): string => `${kind}: ${status} at ${Math.round(at)}`;

/** Programs with an affiliate each, and a server. */
async function openShops(
  after: (end: () => Promise<void>) => void,
  { canCut, open = cloneDatabase }: { canCut: boolean; open?: typeof cloneDatabase },
) {
  const { connection, drop } = await open();
  const { workers = [], ...coordinator } = connection;
  const [worker] = workers;
  assert.ok(worker);
  const processes: ChildProcess[] = [];
  const node = canCut
    ? await openCutNode(connection, worker)
    : { address: '', cut: async () => {}, restore: async () => {}, crash: async () => {}, close: async () => {} };
  const client = new pg.Client(coordinator);
  await client.connect();
  after(async () => {
    for (const child of processes) if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    // What the lost node has prepared would keep the database, and let moves in other databases wait.
    await client.query('select recover_prepared_transactions()');
    await client.end();
    await node.close();
    await drop();
  });
  const shops = await createShops(connection, client);
  const { host, port, user, database } = coordinator;
  const environment = {
    DATABASE_URL: `postgres://${user}@${host}:${port}/${database}`,
    LOG_LEVEL: 'warn',
    API_RATE_LIMIT: '0',
    TRUSTED_PROXIES: '127.0.0.0/8',
  };
  const server = await startServer(environment, processes, { keepsTime: true });
  return { shops, node, server, ...createChecks(client, shops, workers) };
}

/** What the database of the shops shows, and a move. */
function createChecks(client: pg.Client, shops: readonly Shop[], [from, to]: readonly { host: string; port: number }[]) {
  const names = async (text: string) => new Set((await client.query<{ name: string }>(text)).rows.map(({ name }) => name));
  return {
    async isStored(text: string, acknowledged: readonly string[]) {
      const stored = await names(text);
      assert.deepEqual(
        acknowledged.filter((name) => !stored.has(name)),
        [],
        'acknowledged, but lost',
      );
    },
    async areRegistered(): Promise<boolean> {
      const codes = await names('select code as name from referral_codes');
      const people = await names(`select person as name from person_programs where kind = 'affiliate'`);
      const { rows } = await client.query<{ code: string; email: string }>(
        'select referral_code as code, email_key as email from affiliates',
      );
      return rows.every(({ code, email }) => codes.has(code) && people.has(email));
    },
    /** Adds the other worker as a node. Like an operator, repeats the copy of the shared tables when it meets a request. */
    async add(): Promise<void> {
      await client.query(`select citus_add_node('${to?.host}', ${to?.port})`);
      const isCopied = () => client.query(`select replicate_reference_tables('force_logical')`).then(() => true, isBusy);
      await until('the shared tables are on the new node', isCopied);
    },
    /** Moves a part of the programs to another node. Returns how many. */
    async move(): Promise<number> {
      const ofShard = `from pg_dist_placement join pg_dist_node using (groupid) where nodeport = ${from?.port} and shardid in (
        select shardid from pg_dist_shard where logicalrelid = 'affiliates'::regclass)`;
      const { rows } = await client.query<{ shard: string }>(`select shardid as shard ${ofShard} order by 1 limit 1`);
      await client.query(
        `select citus_move_shard_placement(${rows[0]?.shard}, '${from?.host}', ${from?.port}, '${to?.host}', ${to?.port}, 'force_logical')`,
      );
      const places = await Promise.all(shops.map(({ programId }) => findNode(client, programId)));
      return places.filter((place, index) => place !== shops[index]?.node).length;
    },
  };
}

/** False, for another attempt, after a deadlock or a lock that another database of the cluster holds; throws any other error. */
function isBusy(error: unknown): false {
  if (sqlState(error) === '40P01' || String(error).includes('could not acquire the lock')) return false;
  throw error;
}

async function createShops(connection: Database, client: pg.Client): Promise<Shop[]> {
  const service = await openTestService({ database: connection });
  const shops: Shop[] = [];
  for (let number = 0; number < programs; number += 1) {
    const program = await service.newProgram(`Program ${number}`);
    const affiliate = await anAffiliate(service, { status: 'active' }, program);
    shops.push({ ...program, affiliate, node: await findNode(client, program.programId) });
  }
  await service.close();
  return shops;
}

async function findNode(client: pg.Client, programId: string): Promise<string> {
  const { rows } = await client.query<{ address: string }>(
    `select nodename || ':' || nodeport as address from pg_dist_placement join pg_dist_node using (groupid)
     where shardid = get_shard_id_for_distribution_column('affiliates', $1::uuid)`,
    [programId],
  );
  return rows[0]?.address ?? '';
}

/** The status of the response; 0 if the connection ends before. */
function request(options: http.RequestOptions, body: string): Promise<number> {
  return new Promise((resolve) => {
    const sent = http.request({ ...options, host: '127.0.0.1', agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}

/** For each program in turn an order, a list, a click and an invitation, each from a new network, until it is stopped. */
function startLoad(server: Server, shops: readonly Shop[]) {
  const outcomes: Outcome[] = [];
  const orders: string[] = [];
  const invited: string[] = [];
  const agent = new Agent({ keepAlive: false });
  let isStopped = false;
  let serial = 0;
  const send = async (shop: Shop, kind: string, method: string, path: string, body?: object): Promise<boolean> => {
    serial += 1;
    const network = `10.${(serial >> 8) & 255}.${serial & 255}.7`;
    const headers = { authorization: `Bearer ${shop.key}`, 'content-type': 'application/json', 'x-forwarded-for': network };
    const status = await request({ method, path, port: server.port, headers }, body === undefined ? '' : JSON.stringify(body));
    outcomes.push({ kind, shop, status, at: performance.now() });
    return status === 201;
  };
  const work = async (shop: Shop): Promise<void> => {
    for (let count = 0; !isStopped; count += 1) {
      const orderId = `${shop.programId}-${count}`;
      if (await send(shop, 'order', 'POST', '/v1/conversions', { orderId, amountCents: 10_000, affiliateId: shop.affiliate.id }))
        orders.push(orderId);
      await send(shop, 'list', 'GET', `${shop.path}/conversions?limit=5`);
      const email = `${shop.programId}-${count}@example.com`;
      const affiliate = { email, firstName: 'Ada', lastName: 'Lovelace', sendInvite: false };
      if (await send(shop, 'invitation', 'POST', `${shop.path}/affiliates`, affiliate)) invited.push(email);
      const { isRedirected } = await click(agent, { port: server.port, code: shop.affiliate.referralCode });
      outcomes.push({ kind: 'click', shop, status: isRedirected ? 302 : 0, at: performance.now() });
    }
  };
  const working = Promise.all(shops.map(work));
  return {
    /** Waits until each of these programs has this many accepted orders since then. */
    each: (what: string, some: readonly Shop[], count: number, since = 0) =>
      until(what, () =>
        some.every(
          (one) =>
            outcomes.filter(({ kind, shop, status, at }) => kind === 'order' && shop === one && status === 201 && at > since).length >=
            count,
        ),
      ),
    isRejected: (some: readonly Shop[]) =>
      until('requests are rejected', () => some.every((one) => outcomes.some(({ shop, status }) => shop === one && status === 503))),
    async stop() {
      isStopped = true;
      await working;
      agent.destroy();
      return { outcomes, orders, invited };
    },
  };
}
