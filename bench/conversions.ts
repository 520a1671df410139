// How many orders a second one real server process credits, each in the ledger before it is answered, beside
// pgbench writing the same rows from a script: one transaction for each order, as a service without
// batches would, but without HTTP, rules or attribution. A hot affiliate must not be slower than many.
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
import { pgbenchScript, program } from './conversions-script.ts';
import { fillProgram } from './fill.ts';
import { median, start, startServer, tell } from './processes.ts';

const affiliates = 5000;
const connections = 64;
const leastRatio = 0.8;
const leastHotRatio = 0.95;

type Round = { pgbench: number; spread: Measured; hot: Measured };

/** Runs the benchmark; true when every promise was kept. `--load` is its own child process. */
export async function benchConversions(args: string[]): Promise<boolean> {
  if (args[0] === '--load') return tell(await runLoad(JSON.parse(args[1] ?? '') as Load));
  const option = (name: string, fallback: number) => (args.includes(name) ? Number(args[args.indexOf(name) + 1]) : fallback);
  const [rounds, seconds] = [option('--rounds', 5), option('--seconds', 6)];
  const database = await openTemporaryDatabase('bench', { settings: {} });
  const folder = await mkdtemp(join(tmpdir(), 'tributary-pgbench-'));
  const children: ChildProcess[] = [];
  try {
    const { codes, key } = await fill(database.connection);
    const port = await startServer(database.connection, children);
    const load = (name: string, duration: number, of: string[]) =>
      start<Measured>(
        ['bench/main.ts', 'conversions', '--load', JSON.stringify({ port, key, connections, seconds: duration, codes: of, name })],
        [],
      );
    const warm = await load('warm', 3, codes);
    await analyze(database.connection);
    const script = join(folder, 'orders.sql');
    await writeFile(script, await pgbenchScript(database.connection, affiliates));
    const measured: Round[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const pgbench = await runPgbench(database.connection, script, seconds);
      const spread = await load(`spread${round}`, seconds, codes);
      measured.push({ pgbench, spread, hot: await load(`hot${round}`, seconds, codes.slice(0, 1)) });
    }
    const credited = measured.reduce((sum, { spread, hot }) => sum + spread.credited + hot.credited, warm.credited);
    return judge(measured, credited, await countOrders(database.connection));
  } finally {
    for (const child of children) if (child.kill('SIGTERM')) await once(child, 'exit');
    await rm(folder, { recursive: true, force: true });
    await database.close();
  }
}

function judge(measured: Round[], credited: number, stored: number): boolean {
  const names = ['pgbench/s', 'spread/s', 'p50 ms', 'p99 ms', 'hot/s', 'p99 ms', 'ratio', 'hot ratio'];
  console.log(`\n  ${'round'.padEnd(8)}${names.map((word) => word.padStart(11)).join('')}`);
  for (const [round, { pgbench, spread, hot }] of measured.entries()) {
    const numbers = [pgbench, spread.perSecond, spread.p50Ms, spread.p99Ms, hot.perSecond, hot.p99Ms];
    const ratios = [spread.perSecond / pgbench, hot.perSecond / spread.perSecond];
    console.log(
      `  ${String(round + 1).padEnd(8)}${[...numbers, ...ratios].map((value) => value.toFixed(value < 100 ? 2 : 0).padStart(11)).join('')}`,
    );
  }
  const ratio = median(measured.map(({ pgbench, spread }) => spread.perSecond / pgbench));
  const hotRatio = median(measured.map(({ spread, hot }) => hot.perSecond / spread.perSecond));
  const others = measured.reduce((sum, { spread, hot }) => sum + spread.others + hot.others, 0);
  const promises: [string, boolean][] = [
    [`${ratio.toFixed(2)} of pgbench writing the same rows (≥ ${leastRatio})`, ratio >= leastRatio],
    [`a hot affiliate at ${hotRatio.toFixed(2)} of spread ones (≥ ${leastHotRatio})`, hotRatio >= leastHotRatio],
    [`${stored} conversions stored = ${credited} answered with 201`, stored === credited],
    [`${others} answers other than 201`, others === 0],
  ];
  console.log('');
  for (const [words, isKept] of promises) console.log(`  ${isKept ? 'kept  ' : 'MISSED'} ${words}`);
  return promises.every(([, isKept]) => isKept);
}

/** A program with affiliates, a rule for all affiliates and a key. */
async function fill(connection: pg.ClientConfig): Promise<{ codes: string[]; key: string }> {
  const pool = connect({ ...connection, max: 2 });
  await migrate(pool, new Date());
  const key = await fillProgram(pool, program, affiliates);
  await pool.query(
    `insert into short_links (program_id, slug, affiliate_id, kind) select program_id, lower(referral_code), id, 'code' from affiliates`,
  );
  const rule = '00000000-0000-7000-8000-00000000000a';
  await pool.query(
    `insert into commission_rules (program_id, id, name, status, level, terms, version, search, created_at, updated_at)
     values ($1, $2, 'All affiliates', 'active', 1, '{"type": "percentage", "rate": 10}', 1, 'all affiliates', now(), now())`,
    [program, rule],
  );
  await pool.query(
    `insert into commission_rule_versions (program_id, rule_id, version, rule, valid_from, created_at) values ($1, $2, 1, '{}', now(), now())`,
    [program, rule],
  );
  const { rows } = await pool.query<{ code: string }>('select referral_code as code from affiliates order by id');
  await pool.query('vacuum analyze');
  await pool.end();
  return { codes: rows.map(({ code }) => code), key };
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

/** Transactions a second by pgbench: ten clients, prepared statements. */
async function runPgbench({ host, port, user, database }: pg.ClientConfig, script: string, seconds: number): Promise<number> {
  const found = globSync(['/usr/bin/pgbench', '/usr/local/bin/pgbench', '/usr/lib/postgresql/*/bin/pgbench', '/usr/pgsql-*/bin/pgbench']);
  const [binary] = found;
  if (!binary) throw new Error('pgbench is not installed: it comes with the PostgreSQL packages.');
  const args = ['-n', '-M', 'prepared', '-c', '10', '-j', '1', '-T', String(seconds), '-f', script];
  const connection = ['-h', String(host), '-p', String(port), '-U', String(user), String(database)];
  const { stdout } = await promisify(execFile)(binary, [...args, ...connection]);
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  if (!(perSecond > 0)) throw new Error(`pgbench told nothing: ${stdout}`);
  return perSecond;
}
