// Whether answers stay fast as the data grows: every list, report and money query of the API over a million orders and five
// million clicks of one program, each with its own limit. Totals are compared with a plain count.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type pg from 'pg';
import { openTemporaryDatabase } from '../../scripts/temporary-database.ts';
import { connect } from '../../server/platform/db/connect.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import { program } from '../conversions-script.ts';
import { median, quantile, timed } from '../list.ts';
import { startServer } from '../processes.ts';
import { type Case, cases } from './cases.ts';
import { fillScale } from './fill.ts';

const rounds = 9;

/** Runs the benchmark; true when every promise was kept. */
export async function benchScale(args: string[]): Promise<boolean> {
  const option = (name: string, fallback: number) => (args.includes(name) ? Number(args[args.indexOf(name) + 1]) : fallback);
  const [orders, clicks] = [option('--orders', 1_000_000), option('--clicks', 5_000_000)];
  const database = await openTemporaryDatabase('bench', { settings: {} });
  const children: ChildProcess[] = [];
  const pool = connect({ ...database.connection, max: 4, statement_timeout: 0, query_timeout: 0 });
  try {
    await migrate(pool, new Date());
    let key = '';
    const loading = await timed(async () => {
      key = await fillScale(pool, { orders, clicks });
    });
    const sizes = `${orders.toLocaleString('en')} orders and ${clicks.toLocaleString('en')} clicks`;
    console.log(`\n  ${sizes} of one program, loaded in ${(loading / 1000).toFixed(0)} s`);
    const port = await startServer(database.connection, children);
    return await runCases(pool, (path) => get(port, key, path));
  } finally {
    for (const child of children) if (child.kill('SIGTERM')) await once(child, 'exit');
    await pool.end();
    await database.close();
  }
}

type Answer = { status: number; body: { total?: number } };

async function get(port: number, key: string, path: string): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/programs/${program}/${path}`, { headers: { authorization: `Bearer ${key}` } });
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const text = await response.text();
  return { status: response.status, body: isJson ? (JSON.parse(text) as Answer['body']) : {} };
}

async function runCases(pool: pg.Pool, call: (path: string) => Promise<Answer>): Promise<boolean> {
  console.log(`\n  ${'request'.padEnd(62)}${'first ms'.padStart(10)}${'median ms'.padStart(11)}${'worst ms'.padStart(10)}   promise`);
  let isKept = true;
  for (const one of cases) {
    let answer: Answer = { status: 0, body: {} };
    const run = () =>
      timed(async () => {
        answer = await call(one.path);
      });
    const first = await run();
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await run());
    const faults = await findFaults(pool, one, { answer, medianMs: median(times) });
    const figures = [first.toFixed(1).padStart(10), median(times).toFixed(1).padStart(11), quantile(times, 1).toFixed(1).padStart(10)];
    console.log(`  ${one.path.padEnd(62)}${figures.join('')}   < ${one.limitMs} ms ${faults.join(', ') || 'kept'}`);
    isKept &&= faults.length === 0;
  }
  return isKept;
}

async function findFaults(pool: pg.Pool, one: Case, { answer, medianMs }: { answer: Answer; medianMs: number }): Promise<string[]> {
  const faults = medianMs < one.limitMs ? [] : ['MISSED'];
  if (answer.status !== 200) faults.push(`STATUS ${answer.status}`);
  if (one.count === undefined) return faults;
  const { rows } = await pool.query<{ total: number }>(`select count(*) as total from ${one.count}`);
  const total = rows[0]?.total;
  return total === answer.body.total ? faults : [...faults, `TOTAL ${answer.body.total} INSTEAD OF ${total}`];
}
