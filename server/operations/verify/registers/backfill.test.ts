// The migrations to registers: each has the rows that it points to, and names what was found before.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type pg from 'pg';
import { type EarlierDatabase, openBeforeMigration } from '../../../../test/support/migrations/before-migration.ts';
import { typedQueries } from '../../../platform/db/connect.ts';
import { migrate } from '../../../platform/db/migrate.ts';
import { registerInvariants } from './registers.ts';

const toId = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const [older, newer] = [toId(1), toId(2)];

let database: EarlierDatabase;
let pool: pg.Pool;
before(async () => {
  database = await openBeforeMigration('0030_api_key_hashes.sql', fill);
  pool = database.pool;
  await migrate(pool, new Date());
});
after(() => database?.close());

/** Inserts rows with some of their columns only. */
async function insertRows(client: pg.ClientBase, table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  const { rows: columns } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attnotnull
       and attnum <> all (coalesce((select conkey from pg_constraint where conrelid = attrelid and contype = 'p'), '{}'))`,
    [table],
  );
  for (const { name } of columns) await client.query(`alter table ${table} alter column "${name}" drop not null`);
  for (const row of rows) {
    const names = Object.keys(row);
    const values = names.map((_, index) => `$${index + 1}`);
    await client.query(`insert into ${table} (${names}) values (${values})`, Object.values(row));
  }
}

/** Rows of two programs, with what identifies them only. */
async function fill(client: pg.ClientBase): Promise<void> {
  const insert = (table: string, rows: readonly Record<string, unknown>[]) => insertRows(client, table, rows);
  const both = (build: (programId: string, number: number) => Record<string, unknown>) => [build(older, 1), build(newer, 2)];
  const at = (number: number) => `2026-01-0${number}T00:00:00Z`;
  await insert(
    'programs',
    both((id) => ({ id, created_at: at(1) })),
  );
  await insert('users', [{ id: toId(9), email_key: 'a@example.com' }]);
  await insert('api_keys', [
    { program_id: older, id: toId(11), key_hash: Buffer.from('one'), replaced_by_id: toId(12) },
    { program_id: older, id: toId(12), key_hash: Buffer.from('two') },
    { program_id: newer, id: toId(13), key_hash: Buffer.from('three') },
  ]);
  await insert(
    'affiliates',
    both((program_id, number) => ({
      program_id,
      id: toId(20 + number),
      email_key: 'a@example.com',
      referral_code: `C${number}`,
      vanity_slug: 'ada',
    })),
  );
  await insert(
    'affiliate_accounts',
    both((program_id, number) => ({ program_id, affiliate_id: toId(20 + number), user_id: toId(9) })),
  );
  await insert(
    'referral_codes',
    both((program_id, number) => ({ program_id, affiliate_id: toId(20 + number), code: `C${number}` })),
  );
  await insert(
    'short_links',
    both((program_id, number) => ({ program_id, affiliate_id: toId(20 + number), slug: 'ada', kind: 'vanity' })),
  );
  await insert('bare_links', [{ slug: 'ada', program_id: older }]);
  // The page of the older program had the slug `moved` before; that of the newer one has it now.
  await insert(
    'landing_pages',
    both((program_id, number) => ({ program_id, id: toId(30 + number), slug: number === 1 ? 'shared' : 'moved', created_at: at(number) })),
  );
  await insert(
    'landing_page_forwards',
    both((program_id, number) => ({ program_id, page_id: toId(30 + number), slug: number === 1 ? 'moved' : 'shared' })),
  );
  await insert('member_invitations', [
    { program_id: newer, id: toId(41), email_key: 'b@example.com', accepted_at: at(1) },
    { program_id: newer, id: toId(42), email_key: 'b@example.com' },
  ]);
  await insert('program_members', [{ program_id: older, user_id: toId(9) }]);
}

test('every register has the rows that it points to', async () => {
  for (const { name, breaks } of registerInvariants) assert.deepEqual((await breaks(sql`true`).execute(typedQueries(pool))).rows, [], name);
  const { rows } = await pool.query('select kind, person, program_id as program from person_programs order by 1, 2, 3');
  assert.deepEqual(rows, [
    { kind: 'account', person: toId(9), program: older },
    { kind: 'account', person: toId(9), program: newer },
    { kind: 'affiliate', person: 'a@example.com', program: older },
    { kind: 'affiliate', person: 'a@example.com', program: newer },
    { kind: 'invited', person: 'b@example.com', program: newer },
    { kind: 'member', person: toId(9), program: older },
  ]);
});

test('a slug names the program that it named before: of the pages that have it, and else of those that had it', async () => {
  const { rows } = await pool.query('select slug, program_id as program from bare_pages order by slug');
  assert.deepEqual(rows, [
    { slug: 'moved', program: newer },
    { slug: 'shared', program: older },
  ]);
});

test('a key is found by its hash, and each program has a row to lock', async () => {
  const { rows } = await pool.query(
    `select convert_from(key_hash, 'UTF8') as key, hash.program_id as program, replaced_by_id as replacement
     from api_key_hashes as hash join api_keys as key on key.id = hash.key_id and key.program_id = hash.program_id order by key_id`,
  );
  assert.deepEqual(rows, [
    { key: 'one', program: older, replacement: toId(12) },
    { key: 'two', program: older, replacement: null },
    { key: 'three', program: newer, replacement: null },
  ]);
  const locks = await pool.query('select program_id as program from program_locks order by 1');
  assert.deepEqual(locks.rows, [{ program: older }, { program: newer }]);
});
