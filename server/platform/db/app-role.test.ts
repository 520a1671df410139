import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { appendOnly, appRole, ensureAppRole } from './app-role.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

test('the service can insert into append-only tables, but not change or delete their rows', async () => {
  const { rows } = await sql<{ user: string }>`select current_user as user`.execute(service.ctx.db);
  assert.equal(rows[0]?.user, 'tributary_app');
  for (const table of appendOnly) {
    const assertDenied = (statement: string) => assert.rejects(sql.raw(statement).execute(service.ctx.db), /permission denied/, statement);
    await assertDenied(`update ${table} set program_id = program_id`);
    await assertDenied(`delete from ${table}`);
    await assertDenied(`truncate ${table}`);
    await sql.raw(`select count(*) from ${table}`).execute(service.ctx.db);
  }
});

test('the service cannot change the schema or the list of applied migrations', async () => {
  for (const statement of [
    'drop table ledger_entries',
    'alter table ledger_entries add column x int',
    'delete from migrations',
    `insert into migrations values ('x', 'y', now())`,
    'create table public.mine (x int)',
  ])
    await assert.rejects(sql.raw(statement).execute(service.ctx.db), /permission denied|must be owner/, statement);
});

test('permissions are granted again only if one is missing or too many', async () => {
  const { pool } = service;
  const read = async () => (await pool.query(`select xmin::text from pg_class where relname = 'ledger_entries'`)).rows[0].xmin;
  assert.equal(await ensureAppRole(pool), true);
  const before = await read();
  assert.equal(await ensureAppRole(pool), true);
  assert.equal(await read(), before, 'the permissions were written again');
  for (const [change, privilege, isHeld] of [
    [`grant update on ledger_entries to ${appRole}`, 'ledger_entries update', false],
    [`revoke insert on affiliates from ${appRole}`, 'affiliates insert', true],
    [`grant insert on migrations to ${appRole}`, 'migrations insert', false],
  ] as const) {
    await pool.query(change);
    await ensureAppRole(pool);
    const [table, kind] = privilege.split(' ');
    const { rows } = await pool.query('select has_table_privilege($1, $2, $3) as held', [appRole, table, kind]);
    assert.equal(rows[0].held, isHeld, change);
  }
});
