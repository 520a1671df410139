// Jobs whose processes are killed, before and after they were handed to the queue: each change that was committed has its job,
// which runs once, and no other job runs.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { job } from '../../server/platform/queue/job.ts';
import { createQueues, drain } from '../../server/platform/queue/queue.ts';
import { numberedJob, type WorkerOptions } from '../support/crash/outbox-worker.ts';
import { cloneDatabase, openTestService, type TestService } from '../support/harness.ts';
import { givenSeed, often } from '../support/time/length.ts';
import { elapse, until } from '../support/time/wait.ts';

const kills = often(12);
const processes = 2;
const seed = givenSeed ?? 1;

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let service: TestService;
const children = new Set<ChildProcess>();
const ran: number[] = [];
const numbered = job({ ...numberedJob, retries: 0, run: async (_ctx, { number }) => void ran.push(number) });

before(async () => {
  database = await cloneDatabase();
  service = await openTestService({ database: database.connection });
  await service.pool.query('create table changes (number integer primary key)');
  await service.pool.query('grant all on changes to public');
  await createQueues(service.boss, [numbered]);
});
after(async () => {
  for (const child of children) child.kill('SIGKILL');
  await service.close();
  await database.drop();
});

/** What each process commits before its time begins, however slow the machine is. */
const leastChanges = 8;

/** Starts a process, and kills it this time after it has committed some changes. Its queue of jobs is what it left. */
async function runUntilKilled(first: number, ms: number): Promise<void> {
  const { host, port, user } = database.connection;
  const connection = { host: String(host), port: Number(port), user: String(user), database: String(database.connection.database) };
  const options: WorkerOptions = { connection, programId: service.program.programId, first };
  const child = spawn(process.execPath, ['test/support/crash/outbox-worker.ts', JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  await once(child.stdout, 'data');
  await until('it has committed changes', async () => (await countChanges(first)) >= leastChanges);
  await elapse(ms);
  child.kill('SIGKILL');
  await once(child, 'exit');
  children.delete(child);
}

async function countChanges(first: number): Promise<number> {
  const changes = await service.pool.query('select from changes where number >= $1 and number < $1 + 1000000', [first]);
  return changes.rowCount ?? 0;
}

/** Runs what was handed over, without handing anything over. */
async function runQueued(): Promise<void> {
  for (const queued of await service.boss.fetch<{ programId: string; number: number }>(numbered.name, { batchSize: 1000 })) {
    await numbered.run(service.ctx, queued.data, { isLast: false });
    await service.boss.complete(numbered.name, queued.id);
  }
}

const waiting = async () => (await service.pool.query('select from job_outbox')).rowCount ?? 0;

test(`${kills} kills: every committed change has one job, which runs once (seed ${seed})`, { timeout: 600_000 }, async () => {
  let random = seed;
  const left: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const killed = Array.from({ length: processes }, (_, index) => {
      random = (random * 16_807) % 2_147_483_647;
      return runUntilKilled((kill * processes + index) * 1_000_000, 50 + (random % 250));
    });
    await Promise.all(killed);
    left.push(await waiting());
    await runQueued();
  }
  assert.ok(
    left.some((count) => count > 0),
    'no process was killed before it had handed over its jobs',
  );
  while ((await drain(service.boss, [numbered], service.ctx)) > 0);
  assert.equal(await waiting(), 0);
  const { rows } = await service.pool.query<{ number: number }>('select number from changes order by number');
  assert.deepEqual(
    ran.toSorted((a, b) => a - b),
    rows.map(({ number }) => number),
  );
  assert.ok(ran.length > 10 * kills && ran.every((number) => number % 3 !== 0), `${ran.length} jobs`);
});
