// What requests of the API cost: how many a second, how long they take, and the processor time of the service and of
// PostgreSQL for each, compared with a bare framework that returns JSON, and one that runs the statements of a list.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type pg from 'pg';
import { openTemporaryDatabase } from '../../scripts/temporary-database.ts';
import { connect } from '../../server/platform/db/connect.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import { program } from '../conversions-script.ts';
import { drive, isWholeBody } from '../drive.ts';
import { fillProgram } from '../fill.ts';
import { median, readOption, sendToParent, start, startServer } from '../processes.ts';
import { type Figure, type Outcome, toFigure } from '../report/outcome.ts';
import { serveBare } from './bare.ts';
import { perRequest, readCpu } from './cpu.ts';

const affiliates = 5000;

type Limit = 'bare' | 'bare list';
type Case = { name: string; connections: number; of?: Limit; least?: number };

const isLimit = ({ of }: Case): boolean => of === undefined;

/** Requirements are for 8 connections. */
const promise = (connections: number, least: number) => (connections === 8 ? { least } : {});

const cases: Case[] = [1, 8, 64].flatMap((connections): Case[] => [
  { name: 'bare', connections },
  { name: 'bare list', connections },
  { name: 'me', connections, of: 'bare', ...promise(connections, 0.2) },
  { name: 'page', connections, of: 'bare', ...promise(connections, 0.1) },
  { name: 'affiliate', connections, of: 'bare' },
  { name: 'list', connections, of: 'bare list', ...promise(connections, 0.6) },
  { name: 'order', connections, of: 'bare' },
]);

type Load = { port: number; key: string; connections: number; seconds: number; name: string; serial: string };
type Measured = { responses: number; failed: number; perSecond: number; p50Ms: number; p99Ms: number };
type Row = Measured & { nodeUs: number; postgresUs: number };

/** Runs the benchmark. `--bare` and `--load` are its own child processes. */
export async function benchRequests(args: string[]): Promise<Outcome | true> {
  if (args[0] === '--bare') return sendToParent({ port: await serveBare(JSON.parse(args[1] ?? '')) });
  if (args[0] === '--load') return sendToParent(await runLoad(JSON.parse(args[1] ?? '') as Load));
  const [rounds, seconds] = [readOption(args, '--rounds', 5), readOption(args, '--seconds', 2)];
  const database = await openTemporaryDatabase('bench', { settings: {} });
  const children: ChildProcess[] = [];
  try {
    const key = await fill(database.connection);
    const bare = await start<{ port: number }>(['bench/main.ts', 'requests', '--bare', JSON.stringify(database.connection)], children);
    const port = await startServer(database.connection, children);
    const [{ pid: barePid = 0 } = {}, { pid: serverPid = 0 } = {}] = children;
    const measure = async (one: Case, duration: number, round: number): Promise<Row> => {
      const { name, connections } = one;
      const [target, pid] = isLimit(one) ? [bare.port, barePid] : [port, serverPid];
      const load: Load = { port: target, key, connections, seconds: duration, name, serial: `${connections}-${round}` };
      const before = readCpu(pid, database.folder);
      const measured = await start<Measured>(['bench/main.ts', 'requests', '--load', JSON.stringify(load)], []);
      return { ...measured, ...perRequest(before, readCpu(pid, database.folder), measured.responses) };
    };
    for (const one of cases) await measure(one, 1, 0);
    const measured = cases.map((): Row[] => []);
    for (let round = 1; round <= rounds; round += 1)
      for (const [index, one] of cases.entries()) measured[index]?.push(await measure(one, seconds, round));
    return judge(measured);
  } finally {
    for (const child of children) if (child.kill('SIGTERM')) await once(child, 'exit');
    await database.close();
  }
}

function judge(measured: readonly Row[][]): Outcome {
  const failed = measured.flat().reduce((sum, row) => sum + row.failed, 0);
  return {
    figures: cases.flatMap((one, index) => (isLimit(one) ? [] : [toRequestFigure(one, measured[index] ?? [], measured)])),
    checks: [{ text: `${failed} responses with another status`, isKept: failed === 0 }],
  };
}

/** A request as a share of its limit from as many connections, round by round. */
function toRequestFigure({ name, connections, of = 'bare', least }: Case, rows: readonly Row[], measured: readonly Row[][]): Figure {
  const bare = measured[cases.findIndex((one) => one.name === of && one.connections === connections)] ?? [];
  const ratios = rows.map(({ perSecond }, round) => perSecond / (bare[round]?.perSecond ?? 1));
  const middle = (pick: (row: Row) => number) => median(rows.map(pick));
  const more = {
    'a second': middle(({ perSecond }) => perSecond),
    [`${of} a second`]: median(bare.map(({ perSecond }) => perSecond)),
    'p50 ms': middle(({ p50Ms }) => p50Ms),
    'p99 ms': middle(({ p99Ms }) => p99Ms),
    'node µs': middle(({ nodeUs }) => nodeUs),
    'PostgreSQL µs': middle(({ postgresUs }) => postgresUs),
  };
  return toFigure(`${name} ${connections}`, ratios, { unit: `of ${of}`, required: least === undefined ? null : { least }, more });
}

async function fill(connection: pg.ClientConfig): Promise<string> {
  const pool = connect({ ...connection, max: 2, statement_timeout: 0, query_timeout: 0 });
  await migrate(pool, new Date());
  const key = await fillProgram(pool, program, affiliates);
  await pool.query(
    `insert into short_links (program_id, slug, affiliate_id, kind) select program_id, lower(referral_code), id, 'code' from affiliates`,
  );
  await pool.query('insert into affiliate_counts select program_id, status, count(*) from affiliates group by 1, 2');
  await pool.query('vacuum analyze');
  await pool.end();
  return key;
}

async function runLoad({ key, name, serial, ...load }: Load): Promise<Measured> {
  const status = name === 'order' ? '201' : '200';
  const page = `bench-${process.pid}`;
  if (name === 'page') await createPage(load.port, key, page);
  let number = 0;
  let failed = 0;
  const request = (): string => {
    number += 1;
    return toRequest(name, { key, number, serial, page });
  };
  const onResponse = (text: string): void => {
    if (!text.startsWith(`HTTP/1.1 ${status}`)) failed += 1;
  };
  const { elapsedMs, ...times } = await drive({ ...load, request, isWhole: isWholeBody, onResponse });
  return { ...times, failed, perSecond: (times.responses / elapsedMs) * 1000 };
}

type Parts = { key: string; number: number; serial: string; page: string };

function toRequest(name: string, { key, number, serial, page }: Parts): string {
  const affiliate = (1 + (number % affiliates)).toString(16).padStart(32, '0');
  const headers = `Host: bench\r\nAuthorization: Bearer ${key}\r\n`;
  if (name === 'order') {
    const referralCode = `C${String(1 + (number % affiliates)).padStart(7, '0')}`;
    const customer = { externalId: `c-${serial}-${number}` };
    const body = JSON.stringify({ orderId: `o-${serial}-${number}`, amountCents: 1000 + (number % 9000), referralCode, customer });
    return `POST /v1/conversions HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  }
  const paths: Record<string, string> = {
    bare: '/v1/me',
    'bare list': '/list',
    me: '/v1/me',
    page: `/v1/programs/${program}/landing-pages/${page}`,
    affiliate: `/v1/programs/${program}/affiliates/${affiliate.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`,
    list: `/v1/programs/${program}/affiliates?limit=50`,
  };
  return `GET ${paths[name]} HTTP/1.1\r\n${headers}\r\n`;
}

async function createPage(port: number, key: string, slug: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/programs/${program}/landing-pages/${slug}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ affiliateId: '00000000-0000-0000-0000-000000000001', pageTitle: 'Bench' }),
  });
  if (!response.ok) throw new Error(`The page was not created: ${await response.text()}`);
}
