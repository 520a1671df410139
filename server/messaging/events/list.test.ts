// Reading the event log: its filters, and that a reader who follows it gets every event exactly once, whatever commits late.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { z } from 'zod';
import { aGroup, anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { often } from '../../../test/support/time/length.ts';
import { until } from '../../../test/support/time/wait.ts';
import type { Tx } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';
import { defineEvent } from './define.ts';
import { recordEvent, recordEvents } from './record.ts';

type Listed = {
  id: string;
  objectId: string;
  type: string;
  sequence: number;
  actor: { kind: string };
  data: { name: string };
  previous: object | null;
};

const groupChanged = defineEvent({ type: 'group.changed', object: 'group', data: z.object({ name: z.string() }), summary: 'Changed.' });
const affiliateUpdated = defineEvent({ ...groupChanged, type: 'affiliate.updated', object: 'affiliate', previous: {} });

describe('the event log', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const list = async (query = '', program = service.program) =>
    (await service.request('GET', `${program.path}/events?${query}`, { key: program.readKey })).body;

  const waitFor = async (query: string, count: number, program = service.program): Promise<Listed[]> => {
    let events: Listed[] = [];
    await until(`${count} events are listed`, async () => {
      ({ events } = await list(query, program));
      return events.length >= count;
    });
    return events;
  };

  test('is filtered by type, object, affiliate and time', async () => {
    const ada = await anAffiliate(service, { status: 'active' });
    const eve = await anAffiliate(service);
    const types = async (query: string, count: number) => (await waitFor(query, count)).map(({ type }) => type);
    assert.deepEqual(await types(`affiliateId=${ada.id}&sort=createdAt`, 2), ['affiliate.created', 'affiliate.approved']);
    assert.deepEqual(await types(`objectId=${ada.id}&type=affiliate.approved&type=affiliate.archived`, 1), ['affiliate.approved']);
    assert.deepEqual(await types(`objectType=affiliate&objectId=${eve.id}`, 1), ['affiliate.created']);
    assert.deepEqual(await types(`objectType=group&objectId=${eve.id}`, 0), []);
    assert.deepEqual(await types('createdTo=2001-01-01T00:00:00Z', 0), []);
    for (const query of ['objectType=robot', 'cursor=x', 'sort=type', 'limit=0', 'createdFrom=now'])
      assert.equal((await service.request('GET', `${service.program.path}/events?${query}`)).status, 400, query);
  });

  test('returns the object as the API does, and its changed fields', async () => {
    const { id } = await anAffiliate(service);
    const groupId = await aGroup(service);
    await service.request('PATCH', `${service.program.path}/affiliates/${id}`, { body: { groupId, tags: ['vip'] } });
    const updated = (await waitFor(`objectId=${id}&type=affiliate.updated`, 1))[0];
    assert.ok(updated);
    const { body: affiliate } = await service.request('GET', `${service.program.path}/affiliates/${id}`);
    const { body: one } = await service.request('GET', `${service.program.path}/events/${updated.id}`);
    assert.deepEqual(one, updated);
    assert.deepEqual([one.data, one.previous, one.sequence], [affiliate, { groupId: null, tags: [] }, 2]);
    assert.equal(one.actor.kind, 'api_key');
    const foreign = await service.request('GET', `${service.foreign.path}/events/${one.id}`, { key: service.foreign.key });
    assert.equal(foreign.status, 404);
  });

  test('pages in both directions return every event once', async () => {
    const program = await service.newProgram('Pages');
    for (let index = 0; index < 7; index += 1) await anAffiliate(service, {}, program);
    const all = (await waitFor('limit=100', 7, program)).map(({ id }) => id);
    for (const sort of ['createdAt', '-createdAt']) {
      const seen: string[] = [];
      let cursor = '';
      for (let page = 0; page < 5; page += 1) {
        const { events, nextCursor } = await list(`limit=3&sort=${sort}${cursor && `&cursor=${cursor}`}`, program);
        seen.push(...events.map(({ id }: Listed) => id));
        if (nextCursor === null) break;
        cursor = nextCursor;
      }
      assert.deepEqual(seen, sort === 'createdAt' ? [...all].reverse() : all);
    }
  });

  test('a cursor of an earlier version, which ends with the id of an event, continues after that event', async () => {
    const program = await service.newProgram('Earlier');
    for (let index = 0; index < 3; index += 1) await anAffiliate(service, {}, program);
    const { events } = await list('sort=createdAt', program);
    const ids = events.map(({ id }: Listed) => id);
    const after = async (cursor: string) => {
      const query = `sort=createdAt&cursor=${Buffer.from(cursor).toString('base64url')}`;
      return (await list(query, program)).events.map(({ id }: Listed) => id);
    };
    assert.deepEqual(await after(`7000000100.${ids[0]}`), ids.slice(1));
    assert.deepEqual(await after(`7000000100.${ids[2]}`), []);
    assert.deepEqual(await after(`7000000100.${service.ctx.ids.uuid()}`), ids, 'the event was deleted, with those before it');
    assert.deepEqual(await after('2'), ids.slice(2));
  });

  test('a reader who follows the log gets every event exactly once, including those of transactions that commit late', async () => {
    const program = await service.newProgram('Follow');
    const [writers, writes] = [10, often(25)];
    const written = await Promise.all([followLog(program, writers * writes), ...writeSlowly(program, writers, writes)]);
    const [seen = [], ...recorded] = written;
    assert.equal(seen.length, writers * writes);
    assert.deepEqual([...seen].sort(), recorded.flat().sort());
  });

  test("an object's events are read in their order, whatever the order in which 8 simultaneous writers began", async () => {
    const program = await service.newProgram('Order');
    const origin = { programId: program.programId, actor: { kind: 'command' as const, id: 'test' } };
    const [writers, rounds] = [8, often(12)];
    const { id: created } = await anAffiliate(service, {}, program);
    for (let round = 0; round < rounds; round += 1) {
      const objects = [
        { definition: groupChanged, objectId: service.ctx.ids.uuid() },
        { definition: affiliateUpdated, objectId: created },
      ];
      let begun = 0;
      const allBegan = Promise.withResolvers<void>();
      const write = (writer: number) =>
        transact(service.ctx, async (tx) => {
          await sql`select pg_current_xact_id()`.execute(tx.db);
          begun += 1;
          if (begun === writers) allBegan.resolve();
          await allBegan.promise;
          for (const { definition, objectId } of objects)
            await recordEvents(
              tx,
              origin,
              [0, 1].map((part) => definition.of({ objectId, data: { name: `${writer}-${part}` } })),
            );
        });
      await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
    }
    const all = await readAll(program, 1 + rounds * writers * 4);
    for (const [objectId, events] of Map.groupBy(all, (event) => event.objectId))
      assert.deepEqual(
        events.map(({ sequence }) => sequence),
        events.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
        objectId,
      );
    const newestFirst = await waitFor('limit=200&sort=-createdAt', 200, program);
    assert.deepEqual(
      newestFirst.map(({ id }) => id),
      all
        .slice(-200)
        .reverse()
        .map(({ id }) => id),
    );
  });

  /** Every event of a program, by cursor. */
  const readAll = async (program: TestProgram, expected: number): Promise<Listed[]> => {
    const seen: Listed[] = [];
    let cursor = '';
    await until(`${expected} events are read`, async () => {
      const { events, nextCursor } = await list(`limit=7&sort=createdAt${cursor && `&cursor=${cursor}`}`, program);
      seen.push(...events);
      cursor = nextCursor ?? '';
      return seen.length >= expected;
    });
    assert.equal(seen.length, expected);
    return seen;
  };

  /** Keeps a transaction open for a random number of queries. */
  const stayOpen = async (tx: Tx, most: number): Promise<void> => {
    for (let left = Math.random() * most; left > 0; left -= 1) await sql`select 1`.execute(tx.db);
  };

  /** Some transactions get their id before the event is recorded, some with it; all of them stay open for a while. */
  const writeSlowly = (program: TestProgram, writers: number, writes: number): Promise<string[]>[] =>
    Array.from({ length: writers }, async (_, writer) => {
      const names = Array.from({ length: writes }, (__, index) => `${writer}-${index}`);
      for (const name of names) {
        await transact(service.ctx, async (tx) => {
          if (Math.random() < 0.5) await sql`select pg_current_xact_id()`.execute(tx.db);
          await stayOpen(tx, 4);
          const origin = { programId: program.programId, actor: { kind: 'command' as const, id: 'test' } };
          await recordEvent(tx, origin, groupChanged.of({ objectId: tx.ids.uuid(), data: { name } }));
          await stayOpen(tx, Math.random() < 0.1 ? 60 : 3);
        });
      }
      return names;
    });

  const followLog = async (program: TestProgram, expected: number): Promise<string[]> => {
    const seen: string[] = [];
    let cursor = '';
    await until(`${expected} events are read`, async () => {
      const { events, nextCursor } = await list(`limit=5&sort=createdAt${cursor && `&cursor=${cursor}`}`, program);
      seen.push(...events.map(({ data }: Listed) => data.name));
      cursor = nextCursor ?? '';
      return seen.length >= expected;
    });
    return seen;
  };
});
