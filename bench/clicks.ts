// How many clicks a second one real server process takes with the default limits, each in the database before its visitor
// is redirected, and how many it rejects, beside what the bare framework answers in the same run. Also what each costs in
// processor time, which varies far less than the rates.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { openTemporaryDatabase } from '../scripts/temporary-database.ts';
import { connect } from '../server/platform/db/connect.ts';
import { migrate } from '../server/platform/db/migrate.ts';
import { type Load, type Measured, runLoad, serveBare } from './clicks-load.ts';
import { fillProgram } from './fill.ts';
import { median, start, startServer, tell } from './processes.ts';
import { perRequest, readCpu } from './requests/cpu.ts';

export const program = '00000000-0000-7000-8000-000000000001';
const affiliates = 5000;
const connections = 128;
const mostP99Ms = 30;

/** `least`: of what the bare framework answers. */
const cases = [
  { name: 'bare', addresses: 1, least: 0 },
  { name: 'clicks', addresses: 100_000, least: 0.28 },
  { name: 'rejected', addresses: 1, least: 0.6 },
] as const;
type Case = (typeof cases)[number];
type Row = Measured & { name: Case['name']; nodeUs: number; postgresUs: number };

/** Runs the benchmark; true when every promise was kept. `--bare` and `--load` are its own child processes. */
export async function benchClicks(args: string[]): Promise<boolean> {
  if (args[0] === '--bare') return tell({ port: await serveBare() });
  if (args[0] === '--load') return tell(await runLoad(JSON.parse(args[1] ?? '') as Load));
  const option = (name: string, fallback: number) => (args.includes(name) ? Number(args[args.indexOf(name) + 1]) : fallback);
  const [rounds, seconds] = [option('--rounds', 5), option('--seconds', 5)];
  const database = await openTemporaryDatabase('bench', { settings: {} });
  const children: ChildProcess[] = [];
  try {
    const codes = await fill(database.connection);
    const bare = await start<{ port: number }>(['bench/main.ts', 'clicks', '--bare'], children);
    const server = await startServer(database.connection, children, { TRUSTED_PROXIES: '127.0.0.0/8' });
    const [{ pid: barePid = 0 } = {}, { pid: serverPid = 0 } = {}] = children;
    const measure = async ({ name, addresses }: Case, duration: number): Promise<Row> => {
      const [port, pid] = name === 'bare' ? [bare.port, barePid] : [server, serverPid];
      const load: Load = { port, connections, seconds: duration, codes, addresses };
      const before = readCpu(pid, database.folder);
      const measured = await start<Measured>(['bench/main.ts', 'clicks', '--load', JSON.stringify(load)], []);
      return { name, ...measured, ...perRequest(before, readCpu(pid, database.folder), measured.answered) };
    };
    const warmUp: Row[] = [];
    for (const one of cases) warmUp.push(await measure(one, 2));
    const measured: Row[] = [];
    for (let round = 0; round < rounds; round += 1) for (const one of cases) measured.push(await measure(one, seconds));
    console.log(
      `\n  ${connections} connections; the load, the service and PostgreSQL share the CPUs ${readAllowedCpus()}, none is pinned to one`,
    );
    const recorded = [...warmUp, ...measured].reduce((sum, one) => sum + one.recorded, 0);
    return judge(measured, recorded, await countRows(database.connection));
  } finally {
    for (const child of children) if (child.kill('SIGTERM')) await once(child, 'exit');
    await database.close();
  }
}

function judge(measured: readonly Row[], recorded: number, stored: { rows: number; totals: number }): boolean {
  const names = ['per second', 'p50 ms', 'p99 ms', 'node µs', 'postgres µs', 'of bare', 'spread'];
  console.log(`\n  ${''.padEnd(10)}${names.map((name) => name.padStart(13)).join('')}`);
  const bare = measured.filter(({ name }) => name === 'bare').map(({ perSecond }) => perSecond);
  const promises: [string, boolean][] = [];
  for (const { name, least } of cases) {
    const rows = measured.filter((row) => row.name === name);
    const middle = (pick: (row: Row) => number) => median(rows.map(pick));
    const ratios = rows.map(({ perSecond }, round) => perSecond / (bare[round] ?? 1));
    const ratio = median(ratios);
    const p99Ms = middle((row) => row.p99Ms);
    const times = [
      middle((row) => row.perSecond),
      middle((row) => row.p50Ms),
      p99Ms,
      middle((row) => row.nodeUs),
      middle((row) => row.postgresUs),
    ];
    const spread = `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`;
    const columns = [...times.map((value) => value.toFixed(value < 100 ? 1 : 0)), ratio.toFixed(2), spread];
    console.log(`  ${name.padEnd(10)}${columns.map((text) => text.padStart(13)).join('')}`);
    if (name !== 'bare') promises.push([`${name}: ${ratio.toFixed(2)} of bare (≥ ${least})`, ratio >= least]);
    if (name === 'clicks') promises.push([`${name}: p99 ${p99Ms.toFixed(1)} ms (< ${mostP99Ms})`, p99Ms < mostP99Ms]);
  }
  const isExact = stored.rows === recorded && stored.totals === recorded;
  promises.push([`${stored.rows} rows = ${recorded} answered clicks = ${stored.totals} counted`, isExact]);
  const others = measured.reduce((sum, row) => sum + row.others, 0);
  promises.push([`${others} answers other than 302`, others === 0]);
  console.log('');
  for (const [words, isKept] of promises) console.log(`  ${isKept ? 'kept  ' : 'MISSED'} ${words}`);
  return promises.every(([, isKept]) => isKept);
}

function readAllowedCpus(): string {
  return /Cpus_allowed_list:\s*(\S+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 'of the machine';
}

/** A program with the default settings, and its affiliates. Returns their codes. */
export async function fill(connection: pg.ClientConfig): Promise<string[]> {
  const pool = connect({ ...connection, max: 2 });
  await migrate(pool, new Date());
  await fillProgram(pool, program, affiliates);
  await pool.query(`insert into referral_codes (code, program_id, affiliate_id) select referral_code, program_id, id from affiliates`);
  const { rows } = await pool.query<{ code: string }>('select code from referral_codes');
  await pool.query('vacuum analyze');
  await pool.end();
  return rows.map(({ code }) => code);
}

async function countRows(connection: pg.ClientConfig): Promise<{ rows: number; totals: number }> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(
    `select (select count(*) from clicks)::int as rows, (select sum(clicks) from affiliates)::int
       + (select coalesce(sum(pending), 0) from click_deltas, unnest(clicks) as pending)::int as totals`,
  );
  await client.end();
  return rows[0];
}
