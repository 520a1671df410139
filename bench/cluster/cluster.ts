// What an order and a click cost the servers of a Citus cluster in processor time, compared with one PostgreSQL in the same run, for
// one program and sixteen. All servers run on this machine, so orders a second show the cost of a cluster, not its capacity.
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import pg from 'pg';
import { openTemporaryDatabase } from '../../scripts/temporary-database.ts';
import { createClusterDatabase, dropClusterDatabase, toClusterDatabase } from '../../scripts/tests/citus-database.ts';
import { connect } from '../../server/platform/db/connect.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import type { Measured as Clicked, Load as Clicks } from '../clicks-load.ts';
import type { Measured as Credited, Load as Orders } from '../conversions-load.ts';
import { fillRules } from '../fill.ts';
import { median, readOption, start, startServer } from '../processes.ts';
import { type Outcome, toFigure } from '../report/outcome.ts';
import { readTimes } from '../requests/cpu.ts';
import { readLargestProcess, readPostmasters, readServersMs } from './servers.ts';

const programs = 16;
const affiliates = 500;
const connections = 32;
/** Few, so that they are warm soon: a connection plans each statement of each program several times before it keeps its plan. */
const databaseConnections = 4;
const idleSeconds = 60;
const warmUpOf = { orders: 5000, clicks: 2000 };

type Kind = 'orders' | 'clicks';
type Case = { name: string; kind: Kind; programs: number; least: number | null };
const cases: Case[] = [
  { name: 'orders, 1 program', kind: 'orders', programs: 1, least: 0.35 },
  { name: 'orders, 16 programs', kind: 'orders', programs, least: 0.35 },
  { name: 'clicks, 1 program', kind: 'clicks', programs: 1, least: 0.8 },
  { name: 'clicks, 16 programs', kind: 'clicks', programs, least: 0.8 },
];

type Row = { perSecond: number; databaseUs: number; nodeUs: number; done: number; others: number };

/** A service with its database. */
type Side = {
  port: number;
  pid: number;
  postmasters: number[];
  keys: string[];
  idle: Idle;
  /** Starts the service again with the statistics of what is stored: a cluster keeps plans as long as a connection. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

/** Shares of a core that the servers of the database and the process of the service use without load. */
type Idle = { servers: number; process: number };

/** Runs the benchmark. `CITUS_URL` is a database of the cluster, `PLAIN_URL` one PostgreSQL; without it, the embedded one. */
export async function benchCluster(args: string[]): Promise<Outcome> {
  const url = process.env.CITUS_URL;
  if (!url) throw new Error('Set CITUS_URL to a database of a Citus cluster on this machine.');
  const [rounds, seconds, shards] = [readOption(args, '--rounds', 5), readOption(args, '--seconds', 5), readOption(args, '--shards', 32)];
  const plain = await openPlain();
  const cluster = await openCluster(url, shards);
  try {
    const used = readOption(args, '--programs', programs);
    if (args.includes('--memory')) return await measureGrowth(cluster, { orders: readOption(args, '--memory', 100_000), used });
    if (args.includes('--idle')) return { figures: toIdleFigures(await measureIdle(plain), await measureIdle(cluster)), checks: [] };
    const measured = new Map(cases.map(({ name }) => [name, [] as { plain: Row; cluster: Row }[]]));
    for (const side of [plain, cluster]) {
      for (const one of cases) await warmUp(side, one);
      await side.restart();
      for (const one of cases) await warmUp(side, one);
      side.idle = await measureIdle(side);
    }
    for (let round = 1; round <= rounds; round += 1)
      for (const one of cases) {
        const sides = {
          plain: await measure(plain, one, `p${round}`, seconds),
          cluster: await measure(cluster, one, `c${round}`, seconds),
        };
        measured.get(one.name)?.push(sides);
      }
    return judge(measured, [plain.idle, cluster.idle]);
  } finally {
    await cluster.close();
    await plain.close();
  }
}

function judge(measured: ReadonlyMap<string, readonly { plain: Row; cluster: Row }[]>, [plainIdle, clusterIdle]: [Idle, Idle]): Outcome {
  const figures = cases.map(({ name, least }) => {
    const rows = measured.get(name) ?? [];
    const ratios = rows.map(({ plain, cluster }) => plain.databaseUs / cluster.databaseUs);
    const of = (side: 'plain' | 'cluster', field: keyof Row) => median(rows.map((row) => row[side][field]));
    const more = {
      'plain µs': of('plain', 'databaseUs'),
      'cluster µs': of('cluster', 'databaseUs'),
      'plain a second': of('plain', 'perSecond'),
      'cluster a second': of('cluster', 'perSecond'),
      'plain node µs': of('plain', 'nodeUs'),
      'cluster node µs': of('cluster', 'nodeUs'),
    };
    return toFigure(name, ratios, { unit: 'of plain', required: least === null ? null : { least }, more });
  });
  const others = [...measured.values()].flat().reduce((sum, { plain, cluster }) => sum + plain.others + cluster.others, 0);
  const idle = toIdleFigures(plainIdle, clusterIdle);
  return { figures: [...figures, ...idle], checks: [{ text: `${others} answers other than those expected`, isKept: others === 0 }] };
}

function toIdleFigures(plain: Idle, cluster: Idle) {
  const unit = 'of a core';
  return [
    toFigure('servers without load', [cluster.servers], { unit, more: { plain: plain.servers } }),
    toFigure('a process without load, on one server', [plain.process], {
      unit,
      required: { most: 0.01 },
      more: { cluster: cluster.process },
    }),
  ];
}

async function measure(side: Side, one: Case, name: string, seconds: number): Promise<Row> {
  const before = { database: readServersMs(side.postmasters), node: readTimes(side.pid)?.ms ?? 0, at: performance.now() };
  const { done, others, perSecond } = one.kind === 'orders' ? await sendOrders(side, one, name, seconds) : await follow(side, one, seconds);
  const cost = (after: number, earlier: number) => (1000 * (after - earlier)) / Math.max(1, done);
  return {
    done,
    others,
    perSecond,
    databaseUs: cost(readServersMs(side.postmasters) - side.idle.servers * (performance.now() - before.at), before.database),
    nodeUs: cost(readTimes(side.pid)?.ms ?? 0, before.node),
  };
}

async function sendOrders({ port, keys }: Side, one: Case, name: string, seconds: number) {
  const serial = `${name}-${one.programs}-${randomBytes(3).toString('hex')}`;
  const load: Orders = { port, connections, seconds, keys: keys.slice(0, one.programs), affiliates, used: affiliates, name: serial };
  const { credited, others, perSecond } = await start<Credited>(['bench/main.ts', 'conversions', '--load', JSON.stringify(load)], []);
  return { done: credited, others, perSecond };
}

async function follow({ port }: Side, one: Case, seconds: number) {
  const load: Clicks = { port, connections: 64, seconds, links: one.programs * affiliates, addresses: 100_000 };
  const { recorded, responses, others, perSecond } = await start<Clicked>(['bench/main.ts', 'clicks', '--load', JSON.stringify(load)], []);
  return { done: responses, others: others + responses - recorded, perSecond };
}

/** What is used without load: pollers ask all nodes. It is subtracted from what requests cost the servers. */
async function measureIdle({ postmasters, pid }: Side): Promise<Idle> {
  const read = () => ({ servers: readServersMs(postmasters), process: readTimes(pid)?.ms ?? 0 });
  const [before, startedAt] = [read(), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1000));
  const [after, passedMs] = [read(), performance.now() - startedAt];
  return { servers: (after.servers - before.servers) / passedMs, process: (after.process - before.process) / passedMs };
}

async function warmUp(side: Side, one: Case): Promise<void> {
  for (let done = 0; done < warmUpOf[one.kind] * (one.programs === 1 ? 1 : 2); ) done += (await measure(side, one, `warm${done}`, 3)).done;
}

/** The memory of connections, and what an order costs, while many orders of `used` programs are recorded. */
async function measureGrowth(side: Side, { orders, used }: { orders: number; used: number }): Promise<Outcome> {
  const one: Case = { name: 'orders', kind: 'orders', programs: used, least: null };
  await warmUp(side, one);
  await side.restart();
  const measured: { bytes: number; us: number }[] = [];
  for (let done = 0; done < orders; ) {
    const row = await measure(side, one, `m${measured.length}`, 15);
    done += row.done;
    const bytes = readLargestProcess(side.postmasters);
    measured.push({ bytes, us: row.databaseUs });
    console.log(`  ${done} orders: ${Math.round(row.databaseUs)} µs each; the largest process has ${Math.round(bytes / 1e6)} MB`);
  }
  const third = Math.ceil(measured.length / 3);
  const grown = (of: (row: { bytes: number; us: number }) => number) =>
    median(measured.slice(-third).map(of)) / median(measured.slice(0, third).map(of));
  const memory = toFigure('memory of a connection', [grown(({ bytes }) => bytes)], { unit: 'of the beginning', required: { most: 1.5 } });
  const cost = toFigure('an order', [grown(({ us }) => us)], { unit: 'of the beginning', required: { most: 1.5 } });
  return { figures: [memory, cost], checks: [] };
}

async function openPlain(): Promise<Side> {
  const given = process.env.PLAIN_URL;
  if (!given) {
    const database = await openTemporaryDatabase('bench', { settings: {} });
    return openSide(database.connection, [{ host: database.connection.host, port: database.connection.port }], () => database.close());
  }
  const { hostname: host, port, username: user } = new URL(given);
  const account = { host, port: Number(port), user };
  const name = `bench_${randomBytes(4).toString('hex')}`;
  await administer(account, `create database ${name}`);
  return openSide({ ...account, database: name }, [account], () => administer(account, `drop database ${name} with (force)`));
}

async function openCluster(url: string, shards: number): Promise<Side> {
  const database = await toClusterDatabase(url, `bench_${randomBytes(4).toString('hex')}`);
  await createClusterDatabase(database, { shards });
  const { workers, ...coordinator } = database;
  return openSide(coordinator, [coordinator, ...workers], () => dropClusterDatabase(database));
}

type Account = { host: string; port: number; user: string };

async function openSide(
  connection: Account & { database: string },
  servers: { host: string; port: number }[],
  drop: () => Promise<void>,
): Promise<Side> {
  const pool = connect({ ...connection, max: 2, statement_timeout: 0, query_timeout: 0 });
  await migrate(pool, new Date());
  const keys = await fillRules(pool, { programs, affiliates });
  await pool.query(`insert into referral_codes (code, program_id, affiliate_id) select referral_code, program_id, id from affiliates`);
  await pool.query('vacuum analyze');
  await pool.end();
  const postmasters = await readPostmasters(servers, connection);
  const children: ChildProcess[] = [];
  const serve = () => startServer(connection, children, { TRUSTED_PROXIES: '127.0.0.0/8', DATABASE_POOL_MAX: String(databaseConnections) });
  const stop = async () => {
    for (const child of children.splice(0)) if (child.kill('SIGTERM')) await once(child, 'exit');
  };
  const side: Side = {
    port: await serve(),
    pid: children[0]?.pid ?? 0,
    postmasters,
    keys,
    idle: { servers: 0, process: 0 },
    async restart() {
      await stop();
      for (const server of servers) await administer({ ...connection, ...server }, 'analyze', connection.database);
      side.port = await serve();
      side.pid = children[0]?.pid ?? 0;
    },
    async close() {
      await stop();
      await drop();
    },
  };
  return side;
}

async function administer(account: Account, statement: string, database = 'postgres'): Promise<void> {
  const client = new pg.Client({ ...account, database });
  await client.connect();
  await client.query(statement);
  await client.end();
}
