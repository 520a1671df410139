// An export whose process is killed at ten random moments finishes once: its file has every row exactly once, in the
// order of the table, and the process that writes it needs less than 300 MB.
// With 1,000,000 rows: TEST_LENGTH=20 npm test -- test/kill/exports.test.ts
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { parse } from 'csv-parse';
import { readOutput } from '../../server/platform/background-tasks/output.ts';
import type { WorkerOptions } from '../support/crash/export-worker.ts';
import { cloneDatabase, openTestService, type TestService } from '../support/harness.ts';
import { givenSeed, often } from '../support/time/length.ts';
import { elapse, until } from '../support/time/wait.ts';

const rows = often(50_000);
const kills = 10;
const maxBytes = 300_000_000;
// The product starts with this limit too (scripts/launch.mjs).
const launchFlags = ['--max-semi-space-size=16'];
const seed = givenSeed ?? 1;

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let service: TestService;
let child: ChildProcess | null = null;

before(async () => {
  database = await cloneDatabase();
  service = await openTestService({ database: database.connection });
  for (let first = 1; first <= rows; first += 50_000) {
    await service.pool.query(
      `insert into customers (program_id, id, changes, created_at, updated_at)
       select $1, gen_random_uuid(), 0, '2026-01-01'::timestamptz + (n / 3) * interval '1 second', '2026-01-01'
       from generate_series($2::int, $3::int) as n`,
      [service.program.programId, first, Math.min(rows, first + 49_999)],
    );
  }
  await service.pool.query('analyze customers');
});
after(async () => {
  child?.kill('SIGKILL');
  await service.close();
  await database.drop();
});

/** Starts a process that continues the export. */
async function start(options: WorkerOptions) {
  child = spawn(process.execPath, [...launchFlags, 'test/support/crash/export-worker.ts', JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = child.stdout as Readable;
  output.setEncoding('utf8');
  await once(output, 'data');
  return { process: child, output };
}

test(`an export that is killed ten times has every row once, in less than 300 MB (seed ${seed})`, { timeout: 3_600_000 }, async () => {
  const { programId } = service.program;
  const member = await service.asMember('admin');
  const body = { list: 'customers', rows: 'all', query: 'sort=createdAt' };
  const created = await member.request('POST', `/app/programs/${programId}/exports`, { body });
  assert.deepEqual([created.status, created.body.status, created.body.total], [201, 'queued', rows], created.text);
  const task = { programId, taskId: created.body.id };
  const options = { connection: database.connection, task };
  const find = async () => (await service.pool.query('select status, done from background_tasks where id = $1', [task.taskId])).rows[0];

  let random = seed;
  const positions = new Set<number>();
  for (let kill = 1; kill <= kills; kill += 1) {
    const worker = await start(options);
    random = (random * 48_271) % 2_147_483_647;
    // Every other process is killed after it has made progress, the others at any moment, even before.
    const { done: before } = await find();
    if (kill % 2 === 0) await until('the export continues', async () => (await find()).done > before);
    await elapse(random % 150);
    worker.process.kill('SIGKILL');
    await once(worker.process, 'exit');
    const { status, done } = await find();
    assert.notEqual(status, 'succeeded', `the export was finished before kill ${kill}: more rows are needed`);
    positions.add(done);
  }
  assert.ok(positions.size > 2, `the process was killed at different positions: ${[...positions].join(', ')}`);

  const worker = await start(options);
  const [line] = (await on(worker.output, 'data').next()).value as [string];
  const { bytes, maxRssBytes } = JSON.parse(line.replace('finished ', '')) as { bytes: number; maxRssBytes: number };
  assert.deepEqual({ ...(await find()) }, { status: 'succeeded', done: rows });
  assert.ok(maxRssBytes < maxBytes, `${maxRssBytes} bytes`);
  console.log(
    `${rows} rows, ${bytes} bytes, at most ${Math.round(maxRssBytes / 1e6)} MB of memory, killed at ${[...positions].join(', ')}`,
  );

  const parser = Readable.from(readOutput(service.ctx, programId, task.taskId)).pipe(parse({ columns: true }));
  const expected = readIds(programId);
  let index = 0;
  for await (const row of parser as AsyncIterable<{ id: string }>) {
    const { value } = await expected.next();
    if (row.id !== value) assert.fail(`row ${index} is ${row.id} instead of ${value}`);
    index += 1;
  }
  assert.equal(index, rows);
  assert.equal((await expected.next()).done, true);
});

/** The ids of all customers in the order of the table, 10,000 in memory at a time. */
async function* readIds(programId: string): AsyncGenerator<string> {
  let last = { createdAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
  while (true) {
    const page = await service.pool.query<{ id: string; createdAt: string }>(
      `select id, created_at::text as "createdAt" from customers
       where program_id = $1 and (created_at, id) > ($2::timestamptz, $3::uuid) order by created_at, id limit 10000`,
      [programId, last.createdAt, last.id],
    );
    for (const { id } of page.rows) yield id;
    const end = page.rows.at(-1);
    if (!end) return;
    last = end;
  }
}
