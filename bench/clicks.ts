// How many clicks a second one real server process takes with the default limits, each in the database before its visitor
// is redirected, and how many it rejects, compared with a bare framework and the smallest durable redirect in the same run, from
// 1, 8, 64 and 128 connections, for one program and sixteen. Also what each costs in processor time.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { openTemporaryDatabase } from '../scripts/temporary-database.ts';
import { fillClicks, type Load, type Measured, runLoad, serveBare } from './clicks-load.ts';
import { servePrototype } from './compare/durable-redirect.ts';
import { addressOf, median, readOption, sendToParent, start, startServer } from './processes.ts';
import { type Outcome, toFigure } from './report/outcome.ts';
import { perRequest, readCpu } from './requests/cpu.ts';

const programs = 16;
const affiliates = 2000;
const mostP99Ms = 30;

type Target = 'bare' | 'prototype' | 'service';
type Case = { name: string; target: Target; connections: number; addresses: number; programs: number };
type Row = Measured & { name: string; nodeUs: number; postgresUs: number };

const many = 100_000;
const cases: Case[] = [1, 8, 64, 128].flatMap((connections) => [
  { name: `bare ${connections}`, target: 'bare', connections, addresses: 1, programs: 1 },
  { name: `prototype ${connections}`, target: 'prototype', connections, addresses: many, programs: 1 },
  { name: `clicks ${connections}`, target: 'service', connections, addresses: many, programs: 1 },
]);
cases.push({ name: 'clicks 128, 16 programs', target: 'service', connections: 128, addresses: many, programs });
cases.push({ name: 'rejected 128', target: 'service', connections: 128, addresses: 1, programs: 1 });

/** Runs the benchmark. `--bare`, `--prototype` and `--load` are its own child processes. */
export async function benchClicks(args: string[]): Promise<Outcome | true> {
  if (args[0] === '--bare') return sendToParent({ port: await serveBare() });
  if (args[0] === '--prototype') return sendToParent({ port: await servePrototype(args[1] ?? '') });
  if (args[0] === '--load') return sendToParent(await runLoad(JSON.parse(args[1] ?? '') as Load));
  const [rounds, seconds] = [readOption(args, '--rounds', 5), readOption(args, '--seconds', 3)];
  const database = await openTemporaryDatabase('bench', { settings: {} });
  const children: ChildProcess[] = [];
  try {
    await fillClicks(database.connection, { programs, affiliates });
    const bare = await start<{ port: number }>(['bench/main.ts', 'clicks', '--bare'], children);
    const prototype = await start<{ port: number }>(['bench/main.ts', 'clicks', '--prototype', addressOf(database.connection)], children);
    const server = await startServer(database.connection, children, { TRUSTED_PROXIES: '127.0.0.0/8' });
    const ports: Record<Target, number> = { bare: bare.port, prototype: prototype.port, service: server };
    const pids = Object.fromEntries(['bare', 'prototype', 'service'].map((target, index) => [target, children[index]?.pid ?? 0]));
    const measure = async ({ name, target, programs: of, ...load }: Case, duration: number): Promise<Row> => {
      const given: Load = { ...load, port: ports[target], seconds: duration, links: of * affiliates };
      const before = readCpu(pids[target] ?? 0, database.folder);
      const measured = await start<Measured>(['bench/main.ts', 'clicks', '--load', JSON.stringify(given)], []);
      return { name, ...measured, ...perRequest(before, readCpu(pids[target] ?? 0, database.folder), measured.responses) };
    };
    const warmUp: Row[] = [];
    for (const one of cases.slice(-5)) warmUp.push(await measure(one, 2));
    const measured: Row[] = [];
    for (let round = 0; round < rounds; round += 1) for (const one of cases) measured.push(await measure(one, seconds));
    const recorded = [...warmUp, ...measured].reduce((sum, one) => sum + one.recorded, 0);
    return judge(measured, recorded, await countRows(database.connection));
  } finally {
    for (const child of children) if (child.kill('SIGTERM')) await once(child, 'exit');
    await database.close();
  }
}

function judge(measured: readonly Row[], recorded: number, stored: { rows: number; totals: number }): Outcome {
  const rowsOf = (name: string) => measured.filter((row) => row.name === name);
  const medianOf = (name: string, pick: (row: Row) => number) => median(rowsOf(name).map(pick));
  const compare = (name: string, limit: string, least: number | null) => {
    const limits = rowsOf(limit).map(({ perSecond }) => perSecond);
    const more = {
      'a second': medianOf(name, (row) => row.perSecond),
      'limit a second': median(limits),
      'p50 ms': medianOf(name, (row) => row.p50Ms),
      'p99 ms': medianOf(name, (row) => row.p99Ms),
      'node µs': medianOf(name, (row) => row.nodeUs),
      'PostgreSQL µs': medianOf(name, (row) => row.postgresUs),
    };
    const ratios = rowsOf(name).map(({ perSecond }, round) => perSecond / (limits[round] ?? 1));
    return toFigure(name, ratios, { unit: `of ${limit.split(' ')[0]}`, required: least === null ? null : { least }, more });
  };
  const others = measured.reduce((sum, row) => sum + row.others, 0);
  const p99s = rowsOf('clicks 128').map(({ p99Ms }) => p99Ms);
  return {
    figures: [
      ...[1, 8, 64].map((connections) => compare(`clicks ${connections}`, `bare ${connections}`, null)),
      compare('clicks 128', 'bare 128', 0.28),
      compare('clicks 128, 16 programs', 'bare 128', null),
      compare('rejected 128', 'bare 128', 0.6),
      compare('prototype 128', 'bare 128', null),
      ...[1, 8, 64].map((connections) => compare(`clicks ${connections}`, `prototype ${connections}`, null)),
      compare('clicks 128', 'prototype 128', 0.8),
      compare('clicks 128, 16 programs', 'prototype 128', null),
      toFigure('clicks 128, p99', p99s, { unit: 'ms', required: { most: mostP99Ms } }),
    ],
    checks: [
      {
        text: `${stored.rows} rows = ${recorded} clicks with a response = ${stored.totals} counted`,
        isKept: stored.rows === recorded && stored.totals === recorded,
      },
      { text: `${others} answers other than 302`, isKept: others === 0 },
    ],
  };
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
