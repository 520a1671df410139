// How many clicks a second one real server process takes, each in the database before it is answered, beside what
// the bare framework answers on the same machine in the same minute.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { openTemporaryDatabase } from '../scripts/temporary-database.ts';
import { connect } from '../server/platform/db/connect.ts';
import { migrate } from '../server/platform/db/migrate.ts';
import { type Load, type Measured, runLoad, serveBare } from './clicks-load.ts';
import { fillProgram } from './fill.ts';
import { median, start, startServer, tell } from './processes.ts';

const program = '00000000-0000-7000-8000-000000000001';
const affiliates = 5000;
const connections = 128;
const leastRatio = 0.6;
const mostP99Ms = 30;

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
    const bare = await startBare(children);
    const server = await startServer(database.connection, children);
    const measure = (port: number, duration: number) => load({ port, connections, seconds: duration, codes });
    const first = [await measure(bare, 2), await measure(server, 3)];
    const measured: { bare: Measured; clicks: Measured }[] = [];
    for (let round = 0; round < rounds; round += 1)
      measured.push({ bare: await measure(bare, seconds), clicks: await measure(server, seconds) });
    const recorded = [...measured.map(({ clicks }) => clicks), ...first].reduce((sum, one) => sum + one.recorded, 0);
    return judge(measured, recorded, await countRows(database.connection));
  } finally {
    for (const child of children) if (child.kill('SIGTERM')) await once(child, 'exit');
    await database.close();
  }
}

function judge(measured: { bare: Measured; clicks: Measured }[], recorded: number, stored: { rows: number; totals: number }): boolean {
  console.log(
    `\n  ${'round'.padEnd(8)}${['bare/s', 'p99 ms', 'clicks/s', 'p50 ms', 'p99 ms', 'ratio'].map((word) => word.padStart(10)).join('')}`,
  );
  for (const [round, { bare, clicks }] of measured.entries()) {
    const numbers = [bare.perSecond, bare.p99Ms, clicks.perSecond, clicks.p50Ms, clicks.p99Ms, clicks.perSecond / bare.perSecond];
    console.log(`  ${String(round + 1).padEnd(8)}${numbers.map((value) => value.toFixed(value < 100 ? 2 : 0).padStart(10)).join('')}`);
  }
  const ratio = median(measured.map(({ bare, clicks }) => clicks.perSecond / bare.perSecond));
  const p99Ms = median(measured.map(({ clicks }) => clicks.p99Ms));
  const others = measured.reduce((sum, { clicks }) => sum + clicks.others, 0);
  const promises: [string, boolean][] = [
    [
      `${median(measured.map(({ clicks }) => clicks.perSecond)).toFixed(0)} durable clicks/s, ${ratio.toFixed(2)} of bare (≥ ${leastRatio})`,
      ratio >= leastRatio,
    ],
    [`p99 ${p99Ms.toFixed(1)} ms (< ${mostP99Ms})`, p99Ms < mostP99Ms],
    [
      `${stored.rows} rows = ${recorded} answered clicks = ${stored.totals} counted`,
      stored.rows === recorded && stored.totals === recorded,
    ],
    [`${others} answers other than 302`, others === 0],
  ];
  console.log('');
  for (const [words, isKept] of promises) console.log(`  ${isKept ? 'kept  ' : 'MISSED'} ${words}`);
  return promises.every(([, isKept]) => isKept);
}

/** A program without limits, and its affiliates. Returns their codes. */
async function fill(connection: pg.ClientConfig): Promise<string[]> {
  const pool = connect({ ...connection, max: 2 });
  await migrate(pool, new Date());
  const settings = JSON.stringify({ clicksPerIpPerMinute: 0, clicksPerIpPerHour: 0 });
  await fillProgram(pool, program, affiliates);
  await pool.query('update programs set click_settings = $1', [settings]);
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

async function startBare(children: ChildProcess[]): Promise<number> {
  const { port } = await start<{ port: number }>(['bench/main.ts', 'clicks', '--bare'], children);
  return port;
}

function load(given: Load): Promise<Measured> {
  return start<Measured>(['bench/main.ts', 'clicks', '--load', JSON.stringify(given)], []);
}
