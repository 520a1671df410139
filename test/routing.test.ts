// The check of statements (decision 155) finds what it must. `test/every-endpoint.test.ts` applies it to the service.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { findRejected } from './support/routing/check-migration.ts';
import { checkStatement, isOneProgram } from './support/routing/check-statement.ts';

const tenantTables = new Set(['affiliates', 'clicks', 'orders']);
const check = (statement: string) => checkStatement(statement, tenantTables);
const findingsOf = (statement: string) => check(statement).findings.map(({ kind, table }) => `${kind}: ${table}`);

const routable = [
  'select * from affiliates where program_id = $1 and id = $2',
  'select * from programs',
  'select "a".* from "affiliates" as "a" where "a"."program_id" = $1',
  'select * from affiliates a where (a.program_id = $1::uuid and (a.id = $2 or a.id = $3))',
  'select * from affiliates a where $1 = a.program_id',
  'select * from affiliates a left join clicks c on c.program_id = $1 and c.affiliate_id = a.id where a.program_id = $1',
  'select * from affiliates a, lateral (select count(*) from clicks where program_id = $1 and affiliate_id = a.id) c where a.program_id = $1',
  'select exists (select from clicks where program_id = $1)',
  'select id from affiliates where program_id = $1 union all (select id from clicks where program_id = $1)',
  'with a as (select * from affiliates where program_id = $1) select * from a join clicks c on c.id = a.id where c.program_id = $1',
  'with affiliates as (select 1) select * from affiliates',
  'update affiliates as a set name = $2 from clicks c where a.program_id = $1 and c.program_id = $1 and c.id = $3',
  'delete from affiliates where program_id = $1',
  'delete from affiliates a using clicks c where a.program_id = $1 and c.program_id = $1',
  'insert into affiliates (id, program_id) values ($2, $1), ($3, $1) on conflict (program_id, id) do update set name = excluded.name',
  'insert into affiliates (id, program_id) select id, program_id from clicks where program_id = $1',
  'insert into affiliates (program_id, id) select $1::uuid, id from unnest($2::uuid[]) as row (id)',
  'select * from affiliates where program_id = $1 and name is distinct from $2 order by id for update',
  'select * from affiliates a join programs p on p.id = $1 where a.program_id = $1 for update of a skip locked',
  'select left(name, 3) from affiliates -- where\n where program_id = $1 /* or */',
  "select * from affiliates where program_id = $1 and name = 'a or b from clicks'",
  "update affiliates set ids = $2::uuid[], name = to_char($3::date, 'YYYY'), tags = array[$4] where program_id = $1",
  "update affiliates set name = (select to_char(at, 'YYYY') from clicks where program_id = $1) where program_id = $1",
  'select * from unnest($2::uuid[]) as clicks (id) join affiliates a on a.program_id = $1',
];

const rejected: [statement: string, finding: string][] = [
  ['select * from affiliates where id = $1', 'not compared: affiliates'],
  ['select * from affiliates where program_id = $1 or id = $2', 'not compared: affiliates'],
  ['select * from affiliates where not program_id = $1', 'not compared: affiliates'],
  ['select * from affiliates where program_id = any($1)', 'not compared: affiliates'],
  ["select * from affiliates where program_id = (select id from programs where slug = 'x')", 'not compared: affiliates'],
  ['select * from affiliates a join programs p on p.id = a.program_id where p.id = $1', 'not compared: affiliates'],
  ['select * from affiliates a join clicks c using (program_id, id) where a.program_id = $1', 'not compared: clicks'],
  ['select * from affiliates a left join clicks c on c.program_id = a.program_id where a.program_id = $1', 'not compared: clicks'],
  ['select * from affiliates a left join clicks c on true where program_id = $1 and a.program_id = $1', 'not compared: clicks'],
  [
    'select * from affiliates a, lateral (select from clicks c where c.program_id = a.program_id) x where a.program_id = $1',
    'not compared: clicks',
  ],
  [
    'select * from affiliates a where a.program_id = $1 and exists (select from clicks c where c.program_id = a.program_id)',
    'not compared: clicks',
  ],
  [
    'select (select count(*) from clicks c where c.program_id = a.program_id) from affiliates a where a.program_id = $1',
    'not compared: clicks',
  ],
  ['select id from affiliates where program_id = $1 union select id from clicks', 'not compared: clicks'],
  ['select * from (affiliates a join clicks c on c.id = a.id) where a.program_id = $1', 'not compared: clicks'],
  ['with x as (select * from clicks) select * from x', 'not compared: clicks'],
  ['update affiliates set name = $1 where id in (select id from clicks where program_id = $2)', 'not compared: affiliates'],
  ['update affiliates a set name = c.name from clicks c where a.program_id = $1 and c.id = a.id', 'not compared: clicks'],
  ['delete from affiliates where id = $1', 'not compared: affiliates'],
  ['delete from affiliates a using clicks c where a.program_id = $1 and c.id = a.id', 'not compared: clicks'],
  ['with x as (insert into clicks (program_id) values ($1) returning id) select * from x', 'insert in a CTE: clicks'],
  ['insert into affiliates (id, program_id) select id, $1 from clicks where program_id = $1', 'selects a parameter: affiliates'],
  [
    'insert into affiliates (program_id) values ($1) on conflict (program_id) where status = $2 do nothing',
    'a parameter chooses the index of a conflict: affiliates',
  ],
  ['select id from programs where id = $1 for no key update', 'locks a shared table: programs'],
  ['select 1 from affiliates a join programs p on p.id = $1 where a.program_id = $1 for share of p', 'locks a shared table: programs'],
  [
    "update affiliates set name = to_char(joined_at, 'YYYY') where program_id = $1",
    'a function that depends on settings, of columns, in SET: affiliates',
  ],
  ['insert into affiliates (program_id) values (lower($1))', 'writes a parameter of another form: affiliates'],
  ['update affiliates set names = (array_append(names, $2))[2:] where program_id = $1', 'a subscript in SET: affiliates'],
  [
    "update affiliates set name = $2 where program_id = $1 returning json_build_object('id', id)",
    'a function that depends on settings in RETURNING: affiliates',
  ],
  [
    'insert into affiliates (program_id, name) values ($1, (select name from programs where id = $1))',
    'a query in an insert of values: affiliates',
  ],
  [
    'insert into affiliates as a (program_id, id) values ($1, $2) on conflict (program_id, id) do update set name = $3 where not exists (select from clicks where program_id = $1)',
    'a query in an insert of values: affiliates',
  ],
  [
    'insert into affiliates (program_id, id) select $1::uuid, id from unnest($2::uuid[]) as row (id) on conflict (program_id, id) do update set name = $3',
    'a parameter in ON CONFLICT of a query: affiliates',
  ],
];

describe('the check of statements', () => {
  for (const statement of routable) test(`accepts ${statement}`, () => assert.deepEqual(findingsOf(statement), []));
  for (const [statement, finding] of rejected) test(`rejects ${statement}`, () => assert.deepEqual(findingsOf(statement), [finding]));

  test('a statement may name one program only', () => {
    const both = check('select * from affiliates a join clicks c on c.program_id = $2 where a.program_id = $1');
    assert.deepEqual([isOneProgram(both, ['p', 'p']), isOneProgram(both, ['p', 'q'])], [true, false]);
    const rows = check('insert into clicks (program_id, id) values ($1, $2), ($3, $4)');
    assert.deepEqual([isOneProgram(rows, ['p', 1, 'p', 2]), isOneProgram(rows, ['p', 1, 'q', 2])], [true, false]);
  });

  test('what it cannot read is an error', () => {
    assert.throws(() => check('insert into affiliates values ($1)'), /does not list program_id/);
  });
});

describe('migrations', () => {
  test('change a constraint in a separate statement, and update rows without functions that depend on settings', () => {
    for (const statement of [
      'alter table a add column b text, add constraint c check (b > 1)',
      'alter table a drop constraint b, add constraint b check (true)',
      "update a set b = lower(concat_ws(' ', c, d)) where true",
      'with x as (select 1) update a set b = to_char(c, $1)',
    ])
      assert.equal(findRejected(`-- a comment; and more\n${statement};`).length, 1, statement);
    const accepted = `alter table a add column b text, add column c text; alter table a add constraint d check (true);
      update a set b = lower(c || ' ' || d); create table e (f text, constraint g check (true), constraint h check (true));`;
    assert.deepEqual(findRejected(accepted), []);
    const names = readdirSync('migrations').filter((name) => /^\d{4}_.*\.sql$/.test(name));
    for (const name of names) assert.deepEqual(findRejected(readFileSync(`migrations/${name}`, 'utf8')), [], name);
  });
});
