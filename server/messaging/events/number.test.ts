// Positions in the event log: 1 to n without a gap, in each object's order, read once by every reader, even if processes are killed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { z } from 'zod';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { often } from '../../../test/support/time/length.ts';
import type { Context, Tx } from '../../context.ts';
import { appRole } from '../../platform/db/app-role.ts';
import { connect, typedQueries } from '../../platform/db/connect.ts';
import { transact } from '../../platform/db/transact.ts';
import { defineEvent } from './define.ts';
import { numberAllEvents, numberToEnd } from './number.ts';
import { recordEvents } from './record.ts';

const groupChanged = defineEvent({ type: 'group.changed', object: 'group', data: z.object({ name: z.string() }), summary: 'Changed.' });
const actor = { kind: 'command' as const, id: 'test' };

type Listed = { objectId: string; sequence: number };
const label = ({ objectId, sequence }: Listed): string => `${objectId} ${sequence}`;

describe('positions in the event log', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const readLog = async ({ programId }: TestProgram): Promise<(Listed & { position: number })[]> =>
    (
      await service.pool.query(
        `select position, object_id as "objectId", object_sequence as sequence from events where program_id = $1 order by position`,
        [programId],
      )
    ).rows;
  const requireWhole = async (program: TestProgram) => {
    const log = await readLog(program);
    assert.deepEqual(
      log.map(({ position }) => position),
      log.map((_, index) => index + 1),
    );
    for (const [objectId, events] of Map.groupBy(log, (event) => event.objectId))
      assert.deepEqual(
        events.map(({ sequence }) => sequence),
        events.map((_, index) => index + 1),
        objectId,
      );
    return log;
  };

  /** A context with separate connections, which can be ended. */
  const openVictims = (max: number) => {
    const { host, port, user, database } = service.pool.options;
    const pool = connect({ host, port, user, database, role: appRole, max });
    const ctx: Context = { ...service.ctx, db: typedQueries(pool) };
    return { ctx, close: () => pool.end() };
  };

  /** Kills one in eight of these transactions: half of them before the commit, half of them during it. */
  let transactions = 0;
  const mayBeKilled = async (ctx: Context, work: (tx: Tx) => Promise<unknown>): Promise<void> => {
    transactions += 1;
    const turn = transactions % 16;
    let kill: Promise<unknown> = Promise.resolve();
    const run = transact(ctx, async (tx) => {
      await work(tx);
      if (turn % 8 !== 0) return;
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.db);
      kill = service.pool.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
      if (turn === 0) await kill;
    });
    await run.catch(() => {});
    await kill;
  };

  /** Records events of one to three objects per transaction. */
  const write = async (ctx: Context, { programId }: TestProgram, objects: readonly string[], writes: number) => {
    for (let index = 0; index < writes; index += 1) {
      const first = Math.floor(Math.random() * objects.length);
      const changed = objects.slice(first, first + 1 + (index % 3));
      const events = changed.map((objectId) => groupChanged.of({ objectId, data: { name: 'A' } }));
      await mayBeKilled(ctx, (tx) => recordEvents(tx, { programId, actor }, events));
    }
  };

  const follow = async (program: TestProgram, isWritten: () => boolean): Promise<string[]> => {
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const isLast = isWritten();
      const path = `${program.path}/events?sort=createdAt&limit=7${cursor && `&cursor=${cursor}`}`;
      const { body, status, text } = await service.request('GET', path, { key: program.readKey });
      assert.equal(status, 200, text);
      seen.push(...body.events.map(label));
      cursor = body.nextCursor ?? '';
      if (isLast && body.events.length === 0) return seen;
    }
  };

  test('8 writers, killed writers, a killed numbering step: no gap, and 3 readers get each event once, in its order', async () => {
    const program = await service.newProgram('Killed');
    const [writers, numberers] = [openVictims(8), openVictims(2)];
    const objects = Array.from({ length: 6 }, () => service.ctx.ids.uuid());
    let isWritten = false;
    let steps = 0;
    const number = async () => {
      for (; !isWritten || steps < 20; steps += 1) await mayBeKilled(numberers.ctx, (tx) => numberToEnd(tx, program.programId));
    };
    const reading = [1, 2, 3].map(() => follow(program, () => isWritten));
    const numbering = [number(), number()];
    await Promise.all(Array.from({ length: 8 }, () => write(writers.ctx, program, objects, often(25))));
    isWritten = true;
    const [readers] = await Promise.all([Promise.all(reading), ...numbering]);
    await Promise.all([writers.close(), numberers.close()]);
    const log = await requireWhole(program);
    assert.ok(log.length > 100);
    for (const seen of readers) assert.deepEqual(seen, log.map(label));
  });

  test("a long backlog is numbered in steps, in each object's order, although the clocks of its writers differed", async () => {
    const program = await service.newProgram('Backlog');
    const objects = Array.from({ length: 3 }, () => service.ctx.ids.uuid());
    // The ids of the first object grow, those of the second shrink, and those of the third vary.
    await service.pool.query(
      `with recorded as (
         select number, object, ('00000000-0000-7000-8' || lpad(object::text, 3, '0') || '-' || lpad(
           (case object when 1 then number when 2 then 5000 - number else number # 1535 end)::text, 12, '0'))::uuid as id
         from generate_series(1, 2500) as number, generate_series(1, 3) as object
       )
       insert into events (program_id, id, type, object_type, object_id, object_sequence, data, actor_kind, actor_id, created_at)
       select $1, id, 'group.changed', 'group', ($2::uuid[])[object], number, '{}', 'command', 'test', now() from recorded`,
      [program.programId, objects],
    );
    await numberAllEvents(service.ctx);
    assert.equal((await requireWhole(program)).length, 7500);
  });

  test('are assigned immediately to what the reader has just caused, and never to what was rolled back', async () => {
    const program = await service.newProgram('Own');
    const origin = { programId: program.programId, actor };
    for (let index = 1; index <= 3; index += 1) {
      const events = [1, 2].map(() => groupChanged.of({ objectId: service.ctx.ids.uuid(), data: { name: 'A' } }));
      await transact(service.ctx, (tx) => recordEvents(tx, origin, events));
      const failed = transact(service.ctx, async (tx) => {
        await recordEvents(tx, origin, events);
        throw new Error('rolled back');
      });
      await assert.rejects(failed, /rolled back/);
      assert.equal((await follow(program, () => true)).length, 2 * index);
    }
    await requireWhole(program);
  });
});
