// Recording events: they commit with the change that they announce, and the database numbers the events of each object.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { countRoundTrips } from '../../../test/support/round-trips.ts';
import { often } from '../../../test/support/time/length.ts';
import { appRole } from '../../platform/db/app-role.ts';
import { connect, typedQueries } from '../../platform/db/connect.ts';
import { transact } from '../../platform/db/transact.ts';
import { defineEvent, type NewEvent } from './define.ts';
import { recordEvent, recordEvents } from './record.ts';

const data = z.object({ name: z.string() });
const created = defineEvent({ type: 'affiliate.created', object: 'affiliate', isCreation: true, data, summary: 'Created.' });
const updated = defineEvent({ type: 'affiliate.updated', object: 'affiliate', data, summary: 'Updated.' });
const groupChanged = defineEvent({ type: 'group.changed', object: 'group', data, summary: 'Changed.' });

describe('recording events', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const origin = () => ({ programId: service.program.programId, actor: { kind: 'command' as const, id: 'test' } });
  const numbersOf = async (objectId: string): Promise<string[]> => {
    const { rows } = await service.pool.query('select type, object_sequence as number from events where object_id = $1 order by id', [
      objectId,
    ]);
    return rows.map(({ type, number }) => `${type} ${number}`);
  };

  test('they commit with the change, or not at all', async () => {
    const objectId = service.ctx.ids.uuid();
    await assert.rejects(
      transact(service.ctx, async (tx) => {
        await recordEvent(tx, origin(), created.of({ objectId, data: { name: 'Ada' } }));
        throw new Error('rolled back');
      }),
      /rolled back/,
    );
    assert.deepEqual(await numbersOf(objectId), []);
    await transact(service.ctx, (tx) => recordEvent(tx, origin(), created.of({ objectId, data: { name: 'Ada' } })));
    assert.deepEqual(await numbersOf(objectId), ['affiliate.created 1']);
  });

  test('events of one object are numbered without gaps, together and apart', async () => {
    const [objectId, other] = [service.ctx.ids.uuid(), service.ctx.ids.uuid()];
    const name = { data: { name: 'Ada' } };
    await transact(service.ctx, (tx) =>
      recordEvents(tx, origin(), [
        created.of({ objectId, ...name }),
        groupChanged.of({ objectId: other, ...name }),
        updated.of({ objectId, ...name }),
        groupChanged.of({ objectId: other, ...name }),
      ]),
    );
    await transact(service.ctx, async (tx) => {
      await recordEvent(tx, origin(), updated.of({ objectId, ...name }));
      await recordEvents(tx, origin(), [updated.of({ objectId, ...name }), groupChanged.of({ objectId: other, ...name })]);
    });
    assert.deepEqual(await numbersOf(objectId), [
      'affiliate.created 1',
      'affiliate.updated 2',
      'affiliate.updated 3',
      'affiliate.updated 4',
    ]);
    assert.deepEqual(await numbersOf(other), ['group.changed 1', 'group.changed 2', 'group.changed 3']);
  });

  test('an object that is older than the log starts at 2: 1 is its creation', async () => {
    const [objectId, single] = [service.ctx.ids.uuid(), service.ctx.ids.uuid()];
    const record = (...events: Parameters<typeof recordEvents>[2]) => transact(service.ctx, (tx) => recordEvents(tx, origin(), events));
    await record(updated.of({ objectId, data: { name: 'Ada' } }), updated.of({ objectId, data: { name: 'Eve' } }));
    await record(created.of({ objectId: single, data: { name: 'Ada' } }));
    await record(updated.of({ objectId: single, data: { name: 'Eve' } }));
    await record(updated.of({ objectId: single, data: { name: 'Eve' } }), updated.of({ objectId, data: { name: 'Ada' } }));
    assert.deepEqual(await numbersOf(objectId), ['affiliate.updated 2', 'affiliate.updated 3', 'affiliate.updated 4']);
    assert.deepEqual(await numbersOf(single), ['affiliate.created 1', 'affiliate.updated 2', 'affiliate.updated 3']);
  });

  test('16 simultaneous writers of one object get consecutive numbers, in the order in which they can be read', async () => {
    const objectId = service.ctx.ids.uuid();
    const writes = often(20);
    await transact(service.ctx, (tx) => recordEvent(tx, origin(), created.of({ objectId, data: { name: '0' } })));
    const write = async (writer: number) => {
      for (let index = 0; index < writes; index += 1)
        await transact(service.ctx, (tx) => recordEvent(tx, origin(), updated.of({ objectId, data: { name: `${writer}-${index}` } })));
    };
    await Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)));
    const { rows } = await service.pool.query<{ number: number; name: string }>(
      `select object_sequence as number, data->>'name' as name from events where object_id = $1 order by object_sequence`,
      [objectId],
    );
    assert.deepEqual(
      rows.map(({ number }) => number),
      Array.from({ length: 16 * writes + 1 }, (_, index) => index + 1),
    );
    for (let writer = 0; writer < 16; writer += 1)
      assert.deepEqual(
        rows.flatMap(({ name }) => (name.startsWith(`${writer}-`) ? [name] : [])),
        Array.from({ length: writes }, (_, index) => `${writer}-${index}`),
      );
  });

  test('they need one round trip, whatever their objects and their number', async () => {
    const { host, port, user, database } = service.pool.options;
    const pool = connect({ host, port, user, database, role: appRole, max: 1 });
    const count = countRoundTrips(pool);
    const ctx = { ...service.ctx, db: typedQueries(pool) };
    const name = { data: { name: 'Ada' } };
    const record = async (events: readonly NewEvent[]) => {
      const earlier = count();
      await transact(ctx, (tx) => recordEvents(tx, origin(), events));
      return count() - earlier;
    };
    await record([]);
    const empty = await record([]);
    const [one, other] = [service.ctx.ids.uuid(), service.ctx.ids.uuid()];
    const fresh = Array.from({ length: 20 }, () => created.of({ objectId: service.ctx.ids.uuid(), ...name }));
    assert.equal(await record(fresh), empty + 1);
    assert.equal(await record([created.of({ objectId: one, ...name }), groupChanged.of({ objectId: other, ...name })]), empty + 1);
    assert.equal(await record(fresh.map(({ objectId }) => updated.of({ objectId, ...name }))), empty + 1);
    await pool.end();
  });

  test('fields that the schema does not declare are never stored', async () => {
    const objectId = service.ctx.ids.uuid();
    const given = { name: 'Ada', taxId: '123-45-6789' };
    await transact(service.ctx, (tx) => recordEvent(tx, origin(), created.of({ objectId, data: given })));
    const { rows } = await service.pool.query('select data, previous from events where object_id = $1', [objectId]);
    assert.deepEqual(rows, [{ data: { name: 'Ada' }, previous: null }]);
  });
});
