// A job is a row of its program until the queue has it; whatever happens in between, it runs once.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { PgBoss } from 'pg-boss';
import { anAffiliate, anOrder } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { failProgram } from '../../../test/support/races/failing-program.ts';
import { transact } from '../db/transact.ts';
import { job } from './job.ts';
import { relayJobs } from './outbox.ts';
import { createQueues, drain } from './queue.ts';

type Data = { programId: string; word: string };

let service: TestService;
const ran: string[] = [];
const named = job<Data>({ name: 'test.words', retries: 0, run: async (_ctx, { word }) => void ran.push(word) });
const shared = job<{ word: string }>({ name: 'test.shared', retries: 0, run: async (_ctx, { word }) => void ran.push(word) });

before(async () => {
  service = await openTestService();
  await service.drain();
  await createQueues(service.boss, [named, shared]);
});
beforeEach(() => {
  ran.length = 0;
});
after(() => service.close());

const own = (word: string) => ({ programId: service.program.programId, word });
const enqueue = (data: Data, delaySeconds = 0) => transact(service.ctx, (tx) => tx.jobs.enqueue(tx, named, data, { delaySeconds }));
const run = () => drain(service.boss, [named, shared], service.ctx);
const waiting = async () => (await service.pool.query('select from job_outbox')).rowCount;

/** The queue, whose process is killed before or after it has the jobs. */
function killed(moment: 'before' | 'after'): PgBoss {
  const insert: PgBoss['insert'] = async (...given) => {
    if (moment === 'after') await service.boss.insert(...given);
    throw new Error('killed');
  };
  return { insert } as PgBoss;
}

test('commits and rolls back with the change', async () => {
  await enqueue(own('committed'));
  const rolledBack = transact(service.ctx, async (tx) => {
    await tx.jobs.enqueue(tx, named, own('rolled back'));
    throw new Error('rolled back');
  });
  await assert.rejects(rolledBack, /rolled back/);
  assert.equal(await waiting(), 1);
  await run();
  assert.deepEqual([ran, await waiting()], [['committed'], 0]);
});

for (const moment of ['before', 'after'] as const)
  test(`runs once if the relay is killed ${moment} the queue has it`, async () => {
    await enqueue(own('one'));
    await enqueue(own('two'));
    await assert.rejects(relayJobs(service.ctx, killed(moment)), /killed/);
    assert.equal(await waiting(), 2, 'they are still there');
    if (moment === 'after') {
      // Another process has run one of them before they are handed over again.
      const [first] = await service.boss.fetch<Data>(named.name);
      assert.ok(first);
      ran.push(first.data.word);
      await service.boss.complete(named.name, first.id);
    }
    await run();
    await run();
    assert.deepEqual([ran.toSorted(), await waiting()], [['one', 'two'], 0]);
  });

test('runs once if several processes hand it over at the same time', async () => {
  for (let index = 0; index < 30; index += 1) await enqueue(own(`job ${index}`));
  await Promise.all(Array.from({ length: 4 }, () => relayJobs(service.ctx, service.boss)));
  await run();
  assert.equal(new Set(ran).size, 30);
  assert.equal(ran.length, 30);
});

test('starts after its delay, from when it was enqueued', async () => {
  await enqueue(own('later'), 60);
  await enqueue(own('now'));
  await run();
  assert.deepEqual(ran, ['now']);
  const { rows } = await service.pool.query(
    `select extract(epoch from start_after - now())::integer between 50 and 60 as is_soon from pgboss.job
     where name = $1 and state = 'created'`,
    [named.name],
  );
  assert.deepEqual(rows, [{ is_soon: true }]);
});

test('an order writes neither a job nor a mark, unless it is the first of its affiliate', async () => {
  const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
  const written = async () =>
    (await service.pool.query('select (select count(*) from job_outbox) + (select count(*) from program_work) as n')).rows[0].n;
  await service.drain();
  const before = Number(await written());
  await anOrder(service, { affiliateId });
  assert.equal(Number(await written()) - before, 1);
  await anOrder(service, { affiliateId });
  assert.equal(Number(await written()) - before, 1);
  await service.drain();
});

test('a job that belongs to no program goes to the queue directly', async () => {
  await transact(service.ctx, (tx) => tx.jobs.enqueue(tx, shared, { word: 'shared' }));
  assert.equal(await waiting(), 0);
  await run();
  assert.deepEqual(ran, ['shared']);
});

test('while one program fails, the jobs of the others run; its own run afterwards', async () => {
  await enqueue(own('own'));
  await enqueue({ programId: service.foreign.programId, word: 'foreign' });
  const recover = await failProgram(service.pool, service.program.programId);
  await assert.rejects(relayJobs(service.ctx, service.boss), { name: 'Error', message: new RegExp(service.program.programId) });
  for (const queued of await service.boss.fetch<Data>(named.name, { batchSize: 10 })) {
    ran.push(queued.data.word);
    await service.boss.complete(named.name, queued.id);
  }
  assert.deepEqual(ran, ['foreign']);
  await recover();
  await run();
  assert.deepEqual(ran, ['foreign', 'own']);
});
