// Checks the rules of the schema in the database catalogue: tenants are isolated, and data can be distributed by program.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { isTenantTable as isTenant } from '../../../test/support/structure/reference-tables.ts';

type Index = { table: string; index: string; columns: string[]; unique: boolean };
type Reference = { table: string; name: string; columns: string[]; target: string; targets: string[] };

describe('the schema', () => {
  let service: TestService;
  let tables: { name: string; comment: string | null; columns: string[] }[];
  before(async () => {
    service = await openTestService();
    ({ rows: tables } = await service.pool.query(`
      select relname as name, obj_description(pg_class.oid) as comment,
        (select array_agg(attname::text) from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as columns
      from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`));
  });
  after(() => service.close());

  test('has tables', () => assert.ok(tables.length >= 15, `${tables.length} tables`));

  test('every tenant table has program_id first in its primary key and in every unique index', async () => {
    const { rows } = await service.pool.query<Index>(`
      select t.relname as table, i.relname as index, indisunique as unique,
        (select array_agg(attname::text order by position) from unnest(indkey) with ordinality as key (number, position)
          join pg_attribute on attrelid = t.oid and attnum = key.number) as columns
      from pg_index join pg_class t on t.oid = indrelid join pg_class i on i.oid = indexrelid
      where t.relnamespace = 'public'::regnamespace`);
    for (const { name, columns } of tables) {
      if (!isTenant(name)) continue;
      assert.ok(columns.includes('program_id'), name);
      const unique = rows.filter((row) => row.table === name && row.unique);
      assert.ok(unique.length > 0, `${name} has no key`);
      for (const { index, columns: key } of unique) assert.equal(key[0], 'program_id', index);
    }
  });

  test('every foreign key of a tenant table starts with program_id on both sides, or refers to a reference table', async () => {
    const { rows } = await service.pool.query<Reference>(`
      select conrelid::regclass::text as table, conname as name, confrelid::regclass::text as target,
        (select array_agg(attname::text order by position) from unnest(conkey) with ordinality as key (number, position)
          join pg_attribute on attrelid = conrelid and attnum = key.number) as columns,
        (select array_agg(attname::text order by position) from unnest(confkey) with ordinality as key (number, position)
          join pg_attribute on attrelid = confrelid and attnum = key.number) as targets
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`);
    assert.ok(rows.length >= 20);
    for (const { table, name, columns, target, targets } of rows) {
      if (isTenant(table) && isTenant(target)) assert.deepEqual([columns[0], targets[0]], ['program_id', 'program_id'], name);
      else assert.ok(!isTenant(target), `${name}: a reference table must not refer to a tenant table`);
    }
  });

  test('every tenant table has a foreign key, and every constraint starts with the name of its table', async () => {
    const { rows } = await service.pool.query<{ conname: string; table: string; contype: string }>(`
      select conname, conrelid::regclass::text as table, contype::text from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'`);
    for (const { conname, table } of rows)
      assert.ok(conname.startsWith(table.replace(/s$/, '')) || conname.startsWith(table), `${table}: ${conname}`);
    for (const { name } of tables.filter(({ name: table }) => isTenant(table))) {
      assert.ok(
        rows.some((row) => row.table === name && row.contype === 'f'),
        `${name} has no foreign key`,
      );
    }
  });

  test('a row cannot refer to another program, even without the checks of the application', async () => {
    const { pool, ctx, program, foreign } = service;
    const groupId = ctx.ids.uuid();
    await pool.query(
      `insert into groups (program_id, id, name, name_key, status, created_at, updated_at) values ($1, $2, 'G', 'g', 'active', now(), now())`,
      [foreign.programId, groupId],
    );
    const values = [program.programId, ctx.ids.uuid(), groupId];
    await assert.rejects(
      pool.query(
        `insert into affiliates (program_id, id, first_name, last_name, email, email_key, referral_code, status, group_id, search, created_at, updated_at)
         values ($1, $2, 'a', 'b', 'e', 'e', 'C', 'pending', $3, '', now(), now())`,
        values,
      ),
      /affiliates_group_fkey/,
    );
  });

  test('has no triggers, stored procedures, sequences or identity columns', async () => {
    const { rows } = await service.pool.query(`
      select tgname as name from pg_trigger join pg_class on pg_class.oid = tgrelid where relnamespace = 'public'::regnamespace and not tgisinternal
      union all select proname from pg_proc left join pg_depend on objid = pg_proc.oid and deptype = 'e'
        where pronamespace = 'public'::regnamespace and deptype is null
      union all select relname from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace
      union all select attname from pg_attribute join pg_class on pg_class.oid = attrelid
        where relnamespace = 'public'::regnamespace and attidentity <> ''`);
    assert.deepEqual(rows, []);
  });

  test('has a comment on every table', () => {
    for (const { name, comment } of tables) if (name !== 'migrations') assert.ok((comment?.length ?? 0) > 20, `${name} has no comment`);
  });
});
