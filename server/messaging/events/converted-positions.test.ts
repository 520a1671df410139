// The migration to positions that are numbers: events keep their order, and webhooks continue after the event they had reached.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type pg from 'pg';
import { type EarlierDatabase, openBeforeMigration } from '../../../test/support/migrations/before-migration.ts';
import { migrate } from '../../platform/db/migrate.ts';

const conversion = '0026_event_positions.sql';
const toId = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const [one, other, empty] = [toId(901), toId(902), toId(903)];

/** Positions were ids of transactions, and events of one transaction were ordered by id. */
const events = [
  { program: one, id: 12, position: 7_000_000_100 },
  { program: one, id: 15, position: 7_000_000_100 },
  { program: one, id: 11, position: 7_000_000_205 },
  { program: other, id: 13, position: 7_000_000_100 },
  { program: one, id: 14, position: 7_000_000_300 },
];
/** A webhook that has read up to an event, one that starts at the end, and one that has read nothing. */
const webhooks = [
  { program: one, id: 21, position: 7_000_000_100, event: 15 },
  { program: one, id: 22, position: 7_000_000_301, event: 0 },
  { program: other, id: 23, position: 0, event: 0 },
];

describe('the conversion of positions', () => {
  let database: EarlierDatabase;
  let pool: pg.Pool;
  before(async () => {
    database = await openBeforeMigration(conversion, fill);
    pool = database.pool;
    assert.equal((await migrate(pool, new Date()))[0], conversion);
  });
  after(() => database?.close());

  test('numbers the events of each program in their order', async () => {
    const { rows } = await pool.query('select program_id as program, id, position from events order by program_id, position');
    assert.deepEqual(rows, [
      { program: one, id: toId(12), position: 1 },
      { program: one, id: toId(15), position: 2 },
      { program: one, id: toId(11), position: 3 },
      { program: one, id: toId(14), position: 4 },
      { program: other, id: toId(13), position: 1 },
    ]);
    const ends = await pool.query('select program_id as program, last_position as end from event_log_ends order by program_id');
    assert.deepEqual(ends.rows, [
      { program: one, end: 4 },
      { program: other, end: 1 },
      { program: empty, end: 0 },
    ]);
  });

  test('keeps what webhooks and postbacks have read', async () => {
    const { rows } = await pool.query('select id, read_position as position from webhooks order by id');
    assert.deepEqual(rows, [
      { id: toId(21), position: 2 },
      { id: toId(22), position: 4 },
      { id: toId(23), position: 0 },
    ]);
    const readers = await pool.query('select read_position as position from postback_readers');
    assert.deepEqual(readers.rows, [{ position: 2 }]);
  });
});

async function fill(client: pg.ClientBase): Promise<void> {
  const { rows: required } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'programs'::regclass and attnum > 0 and not attisdropped and attname <> 'id'`,
  );
  for (const { name } of required) await client.query(`alter table programs alter column "${name}" drop not null`);
  await client.query('insert into programs (id, created_at) select id, now() from unnest($1::uuid[]) as id', [[one, other, empty]]);
  for (const { program, id, position } of events)
    await client.query(
      `insert into events (program_id, id, position, type, object_type, object_id, object_sequence, data, actor_kind, actor_id, created_at)
       values ($1, $2, $3, 'group.changed', 'group', $2, 1, '{}', 'command', 'test', now())`,
      [program, toId(id), position],
    );
  for (const { program, id, position, event } of webhooks)
    await client.query(
      `insert into webhooks (program_id, id, url, event_types, status, read_position, read_event_id, created_at, updated_at)
       values ($1, $2, '', '{}', 'paused', $3, $4, now(), now())`,
      [program, toId(id), position, toId(event)],
    );
  await client.query('insert into postback_readers (program_id, read_position, read_event_id) values ($1, $2, $3)', [
    one,
    events[1]?.position,
    toId(15),
  ]);
}
