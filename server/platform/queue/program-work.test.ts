// A program that was marked is looked at until its work is done, whatever happens at the same time.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { failProgram } from '../../../test/support/races/failing-program.ts';
import { often } from '../../../test/support/time/length.ts';
import { until } from '../../../test/support/time/wait.ts';
import { transact } from '../db/transact.ts';
import { findWork, finishWork, markWork, takeWork } from './program-work.ts';

let service: TestService;
let programs: string[] = [];
before(async () => {
  service = await openTestService();
  programs = [service.program.programId, service.foreign.programId];
  await service.pool.query('create table items (program_id uuid, id serial, is_done boolean not null default false)');
  await service.pool.query('grant all on items, items_id_seq to public');
});
beforeEach(() => service.pool.query('delete from program_work'));
after(() => service.close());

const mark = (programId: string, seconds = 0) => {
  const dueAt = new Date(service.clock.now().getTime() + seconds * 1000);
  return markWork(service.ctx, { programId, kind: 'events', dueAt });
};
const [one, other] = [() => programs[0] ?? '', () => programs[1] ?? ''];
const found = async () => (await findWork(service.ctx, 'events')).map(({ programId }) => programId);

test('a program is found when its work is due, until it is finished', async () => {
  await mark(one(), 10);
  await mark(other());
  assert.deepEqual(await found(), [other()]);
  await mark(one(), 5);
  await mark(one(), 60);
  service.clock.advance({ seconds: 5 });
  assert.deepEqual(await found(), [other(), one()], 'at the earliest of its times');
  for (const work of await findWork(service.ctx, 'events')) await finishWork(service.ctx, 'events', work);
  assert.deepEqual(await found(), []);
});

test('a program that is marked again in the meantime is found again, even after another process finished it', async () => {
  await mark(one());
  const [work] = await findWork(service.ctx, 'events');
  assert.ok(work);
  await mark(one());
  await finishWork(service.ctx, 'events', work, new Date(service.clock.now().getTime() + 60_000));
  await finishWork(service.ctx, 'events', work);
  assert.deepEqual(await found(), [one()]);
  for (const again of await findWork(service.ctx, 'events')) await finishWork(service.ctx, 'events', again);
  await mark(one());
  await finishWork(service.ctx, 'events', work);
  assert.deepEqual(await found(), [one()]);
});

test('the others are found while one program fails', async () => {
  for (const programId of programs) await mark(programId);
  const recover = await failProgram(service.pool, one());
  assert.deepEqual(await found(), [other()]);
  await recover();
  assert.deepEqual((await found()).sort(), programs.toSorted());
});

/**
 * Adds one item after the other to each program, and marks it, while three processes work on what is marked. The next item follows
 * when the last one is done: while a process may still be finishing it.
 */
async function race(work: () => Promise<void>): Promise<void> {
  let isOver = false;
  const write = async (programId: string) => {
    for (let index = 0; index < often(100); index += 1) {
      const id = await transact(service.ctx, async (tx) => {
        const { rows } = await sql<{ id: number }>`insert into items (program_id) values (${programId}) returning id`.execute(tx.db);
        await markWork(tx, { programId, kind: 'events', dueAt: tx.clock.now() });
        return rows[0]?.id;
      });
      const isDone = async () => (await service.pool.query('select from items where id = $1 and is_done', [id])).rowCount === 1;
      await until(`item ${index} is done`, isDone, 20_000);
    }
  };
  const repeat = async () => {
    while (!isOver) await work();
  };
  const writing = Promise.all(programs.map(write)).finally(() => {
    isOver = true;
  });
  await Promise.all([writing, repeat(), repeat(), repeat()]);
  await work();
  assert.deepEqual(await found(), []);
}

const doItems = (db: TestService['ctx']['db'], programId: string) =>
  sql`update items set is_done = true where program_id = ${programId} and not is_done`.execute(db);

test('no work is missed by several processes that finish it afterwards', async () => {
  await race(async () => {
    for (const work of await findWork(service.ctx, 'events')) {
      await doItems(service.ctx.db, work.programId);
      await finishWork(service.ctx, 'events', work);
    }
  });
});

test('no work is missed by several processes that take it in the transaction that does it', async () => {
  await race(async () => {
    for (const { programId } of await findWork(service.ctx, 'events'))
      await transact(service.ctx, async (tx) => {
        if ((await takeWork(tx, programId, 'events')) !== null) await doItems(tx.db, programId);
      });
  });
});
