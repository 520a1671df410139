// How many orders a second one real server process credits, each in the ledger before the response: from 1, 8 and 64
// connections, for one hot affiliate, and for sixteen programs. In the same run pgbench writes the same rows, without HTTP,
// rules or attribution: one order in each transaction, and 60 set by set. Medians and the spread of the rounds.
import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { openTemporaryDatabase } from '../scripts/temporary-database.ts';
import { connect } from '../server/platform/db/connect.ts';
import { migrate } from '../server/platform/db/migrate.ts';
import { type Load, type Measured, runLoad } from './conversions-load.ts';
import { pgbenchScript, readSamples } from './conversions-script.ts';
import { ordersTogether, setWiseScript } from './conversions-set-wise.ts';
import { fillRules } from './fill.ts';
import { median, readOption, sendToParent, start, startServer } from './processes.ts';
import { type Figure, type Outcome, toFigure } from './report/outcome.ts';
import { perRequest, readCpu } from './requests/cpu.ts';

const programs = 16;
const affiliates = 2000;

type Row = Measured & { nodeUs: number; postgresUs: number };
/** The rounds of each case. */
type Rounds = Map<string, Row[]>;

type Case = { name: string; connections: number; programs: number; used: number };
const cases: Case[] = [
  { name: 'orders 1', connections: 1, programs: 1, used: affiliates },
  { name: 'orders 8', connections: 8, programs: 1, used: affiliates },
  { name: 'orders 64', connections: 64, programs: 1, used: affiliates },
  { name: 'hot 64', connections: 64, programs: 1, used: 1 },
  { name: 'orders 32', connections: 32, programs: 1, used: affiliates },
  { name: '16 programs 32', connections: 32, programs, used: affiliates },
];

/** Limits by pgbench: clients, and orders in each transaction. */
const limits = [
  { name: 'pgbench 1', clients: 1, orders: 1 },
  { name: 'pgbench 10', clients: 10, orders: 1 },
  { name: 'set-wise', clients: 2, orders: ordersTogether },
];

/** Runs the benchmark. `--load` is its own child process. */
export async function benchConversions(args: string[]): Promise<Outcome | true> {
  if (args[0] === '--load') return sendToParent(await runLoad(JSON.parse(args[1] ?? '') as Load));
  const [rounds, seconds] = [readOption(args, '--rounds', 5), readOption(args, '--seconds', 4)];
  const database = await openTemporaryDatabase('bench', { settings: {} });
  const folder = await mkdtemp(join(tmpdir(), 'tributary-pgbench-'));
  const children: ChildProcess[] = [];
  try {
    const keys = await fillPrograms(database.connection);
    const port = await startServer(database.connection, children);
    const pid = children[0]?.pid ?? 0;
    const measure = async (one: Case, round: number, duration: number): Promise<Row> => {
      const given: Load = {
        port,
        connections: one.connections,
        seconds: duration,
        keys: keys.slice(0, one.programs),
        affiliates,
        used: one.used,
        name: `${one.name}-${round}`.replaceAll(' ', '-'),
      };
      const before = readCpu(pid, database.folder);
      const measured = await start<Measured>(['bench/main.ts', 'conversions', '--load', JSON.stringify(given)], []);
      return { ...measured, ...perRequest(before, readCpu(pid, database.folder), measured.credited) };
    };
    const warm = [await measure(cases[5] as Case, 0, 3), await measure(cases[2] as Case, 0, 2)];
    await analyze(database.connection);
    const samples = await readSamples(database.connection);
    const scripts = { 1: pgbenchScript(affiliates, samples), [ordersTogether]: setWiseScript(affiliates, samples) };
    for (const [orders, script] of Object.entries(scripts)) await writeFile(join(folder, `${orders}.sql`), script);
    const measured: Rounds = new Map([...limits, ...cases].map(({ name }) => [name, []]));
    for (let round = 1; round <= rounds; round += 1) {
      for (const { name, clients, orders } of limits)
        measured.get(name)?.push(await runPgbench(database, { script: join(folder, `${orders}.sql`), clients, seconds, orders }));
      for (const one of cases) measured.get(one.name)?.push(await measure(one, round, seconds));
    }
    const credited = [...warm, ...[...measured.values()].flat()].reduce((sum, row) => sum + row.credited, 0);
    return judge(measured, credited, await countOrders(database.connection));
  } finally {
    for (const child of children) if (child.kill('SIGTERM')) await once(child, 'exit');
    await rm(folder, { recursive: true, force: true });
    await database.close();
  }
}

function judge(measured: Rounds, credited: number, stored: number): Outcome {
  const rows = (name: string) => measured.get(name) ?? [];
  const ratioOf = (name: string, limit: string, label: string, least: number | null): Figure => {
    const ratios = rows(name).map(({ perSecond }, round) => perSecond / (rows(limit)[round]?.perSecond ?? 1));
    const more = { ...describe(rows(name)), 'limit a second': median(rows(limit).map(({ perSecond }) => perSecond)) };
    return toFigure(label, ratios, { unit: 'of its limit', required: least === null ? null : { least }, more });
  };
  const times = rows('orders 1').map(({ p50Ms }) => p50Ms);
  const timesOfLimit = rows('orders 1').map(({ p50Ms }, round) => p50Ms / (rows('pgbench 1')[round]?.p50Ms ?? 1));
  const others = [...measured.values()].flat().reduce((sum, row) => sum + row.others, 0);
  return {
    figures: [
      ratioOf('orders 1', 'pgbench 1', '1 connection, of pgbench 1', null),
      ratioOf('orders 8', 'pgbench 10', '8 connections, of pgbench 10', 0.7),
      ratioOf('orders 64', 'pgbench 10', '64 connections, of pgbench 10', null),
      ratioOf('orders 64', 'set-wise', '64 connections, of set-wise', 0.5),
      ratioOf('hot 64', 'orders 64', 'one affiliate, of many', 0.95),
      ratioOf('16 programs 32', 'orders 32', '16 programs, of one', 0.8),
      toFigure('1 connection', times, { unit: 'ms', required: { most: 3 }, more: describe(rows('orders 1')) }),
      toFigure('1 connection, times pgbench 1', timesOfLimit, { unit: 'times', required: { most: 2.5 } }),
    ],
    checks: [
      { text: `${stored} conversions stored = ${credited} with status 201`, isKept: stored === credited },
      { text: `${others} answers other than 201`, isKept: others === 0 },
    ],
  };
}

function describe(rows: readonly Row[]): Record<string, number> {
  return {
    'a second': median(rows.map(({ perSecond }) => perSecond)),
    'p50 ms': median(rows.map(({ p50Ms }) => p50Ms)),
    'p99 ms': median(rows.map(({ p99Ms }) => p99Ms)),
    'node µs': median(rows.map(({ nodeUs }) => nodeUs)),
    'PostgreSQL µs': median(rows.map(({ postgresUs }) => postgresUs)),
  };
}

/** Programs with affiliates and a rule for all of them. Returns their keys. */
/** Migrates a database, and fills it with programs and affiliates. Returns the API keys. */
export async function fillPrograms(connection: pg.ClientConfig): Promise<string[]> {
  const pool = connect({ ...connection, max: 2, statement_timeout: 0, query_timeout: 0 });
  await migrate(pool, new Date());
  const keys = await fillRules(pool, { programs, affiliates });
  await pool.query('vacuum analyze');
  await pool.end();
  return keys;
}

async function countOrders(connection: pg.ClientConfig): Promise<number> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(`select count(*)::int as orders from conversions where order_id not like 'pgbench-%'`);
  await client.end();
  return rows[0].orders;
}

/** What autovacuum does within its first minute: until then plans are made for empty tables. */
async function analyze(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query('analyze');
  await client.end();
}

type Pgbench = { script: string; clients: number; seconds: number; orders: number };
type Database = Awaited<ReturnType<typeof openTemporaryDatabase>>;

/** Orders a second by pgbench, with prepared statements. */
async function runPgbench({ connection, folder }: Database, { script, clients, seconds, orders }: Pgbench): Promise<Row> {
  const [binary] = globSync([
    '/usr/bin/pgbench',
    '/usr/local/bin/pgbench',
    '/usr/lib/postgresql/*/bin/pgbench',
    '/usr/pgsql-*/bin/pgbench',
  ]);
  if (!binary) throw new Error('pgbench is not installed: it comes with the PostgreSQL packages.');
  const args = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '1', '-T', String(seconds), '-f', script];
  const { host, port, user, database } = connection;
  const before = readCpu(0, folder);
  const { stdout } = await promisify(execFile)(binary, [...args, '-h', host, '-p', String(port), '-U', user, database]);
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]) * orders;
  if (!(perSecond > 0)) throw new Error(`No result in the output of pgbench: ${stdout}`);
  const averageMs = Number(/latency average = ([\d.]+) ms/.exec(stdout)?.[1]);
  const cpu = perRequest(before, readCpu(0, folder), perSecond * seconds);
  return { credited: 0, others: 0, perSecond, p50Ms: averageMs, p99Ms: averageMs, ...cpu };
}
