// What recording a click costs with few clicks stored and with many: processor time of the service and PostgreSQL, and the
// bytes of write-ahead log. A cost that grows with the rows would make an old installation slower than a new one.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type pg from 'pg';
import { openTemporaryDatabase } from '../../scripts/temporary-database.ts';
import { connect } from '../../server/platform/db/connect.ts';
import { fillClicks, type Load, type Measured } from '../clicks-load.ts';
import { program } from '../conversions-script.ts';
import { median, start, startServer } from '../processes.ts';
import { perRequest, readCpu } from '../requests/cpu.ts';

const affiliates = 5000;
const few = 10_000;
const mostGrowth = 1.5;
const months = 24;
const rounds = 3;

type Cost = { nodeUs: number; postgresUs: number; walBytes: number };

/** Runs the benchmark; true when the cost of a click grew by less than half. */
export async function benchClicksGrowth(args: string[]): Promise<boolean> {
  const option = (name: string, fallback: number) => (args.includes(name) ? Number(args[args.indexOf(name) + 1]) : fallback);
  const [many, seconds] = [option('--rows', 2_000_000), option('--seconds', 5)];
  const database = await openTemporaryDatabase('bench', { settings: {} });
  const children: ChildProcess[] = [];
  const pool = connect({ ...database.connection, max: 1, statement_timeout: 0, query_timeout: 0 });
  try {
    await fillClicks(database.connection, { programs: 1, affiliates });
    const port = await startServer(database.connection, children, { TRUSTED_PROXIES: '127.0.0.0/8' });
    const load: Load = { port, connections: 128, seconds, links: affiliates, addresses: 100_000 };
    const measureOnce = async (): Promise<Cost> => {
      const [pid = 0] = children.map((child) => child.pid);
      const [position, cpu] = [await readPosition(pool), readCpu(pid, database.folder)];
      const { responses } = await start<Measured>(['bench/main.ts', 'clicks', '--load', JSON.stringify(load)], []);
      const used = perRequest(cpu, readCpu(pid, database.folder), responses);
      return { ...used, walBytes: ((await readPosition(pool)) - position) / responses };
    };
    const measure = async (rows: number): Promise<Cost> => {
      await addClicks(pool, rows);
      // The first change of a page after a checkpoint logs all of it: once in five minutes, not in each of the rounds.
      await measureOnce();
      const costs: Cost[] = [];
      for (let round = 0; round < rounds; round += 1) costs.push(await measureOnce());
      const middle = (pick: (cost: Cost) => number) => median(costs.map(pick));
      return {
        nodeUs: middle((cost) => cost.nodeUs),
        postgresUs: middle((cost) => cost.postgresUs),
        walBytes: middle((cost) => cost.walBytes),
      };
    };
    return judge([few, many], [await measure(few), await measure(many)]);
  } finally {
    for (const child of children) if (child.kill('SIGTERM')) await once(child, 'exit');
    await pool.end();
    await database.close();
  }
}

function judge([few, many]: [number, number], [before, after]: [Cost, Cost]): boolean {
  console.log(`\n  ${'clicks stored'.padEnd(14)}${['node µs', 'postgres µs', 'WAL bytes'].map((name) => name.padStart(13)).join('')}`);
  for (const [rows, { nodeUs, postgresUs, walBytes }] of [[few, before], [many, after]] as const) // biome-ignore format: pairs
    console.log(
      `  ${rows.toLocaleString('en').padEnd(14)}${[nodeUs, postgresUs, walBytes].map((value) => value.toFixed(0).padStart(13)).join('')}`,
    );
  const time = (after.nodeUs + after.postgresUs) / (before.nodeUs + before.postgresUs);
  const log = after.walBytes / before.walBytes;
  console.log('');
  for (const [name, ratio] of [['processor time', time], ['write-ahead log', log]] as const) // biome-ignore format: pairs
    console.log(`  ${ratio < mostGrowth ? 'kept  ' : 'MISSED'} ${name}: × ${ratio.toFixed(2)} (< ${mostGrowth})`);
  return Math.max(time, log) < mostGrowth;
}

/** How many bytes of write-ahead log there have been. */
async function readPosition(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`);
  return rows[0].bytes;
}

/** Clicks of new visitors in the order of time, with ids like those of the service, until there are `rows`. */
async function addClicks(pool: pg.Pool, rows: number): Promise<void> {
  await pool.query(`
    create or replace function pg_temp.id_at(at timestamptz) returns uuid language sql volatile as $$
      select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3) || '8'
        || substr(md5(random()::text), 1, 15))::uuid $$`);
  await pool.query(
    `insert into clicks (program_id, id, affiliate_id, created_at, slug, visitor_id, ip_hash, agent)
     select $1, pg_temp.id_at(at), lpad(to_hex(1 + number * 7919 % 5000), 32, '0')::uuid, at, 'code', pg_temp.id_at(at)::text,
       decode(md5(number::text), 'hex'), repeat('Mozilla/5.0 ', 8)
     from (select number, now() - make_interval(months => $3) * (1 - number::float8 / $2) as at from generate_series(1::bigint, $2) as number) as past`,
    [program, rows, months],
  );
  await pool.query('vacuum analyze');
}
