import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { emptyDatabase } from '../../../../test/support/harness.ts';
import { connect } from '../connect.ts';
import { ClusterFault, readCluster, requireDistributed } from './cluster.ts';
import { distribute } from './distribute.ts';
import { judgeVersion } from './judge-version.ts';
import { findUndistributed, planDistribution } from './plan-distribution.ts';
import { isReusableOnCluster } from './program-options.ts';
import { splitStatements } from './split-statements.ts';

const catalogue = {
  tables: ['affiliates', 'clicks', 'migrations', 'programs'],
  distributed: [],
  replicated: [],
  foreignKeys: [
    { name: 'clicks_affiliate_fkey', table: 'clicks', definition: 'FOREIGN KEY (program_id) REFERENCES affiliates(program_id)' },
  ],
};

describe('the plan of a distribution', () => {
  test('drops foreign keys, stores shared tables on every node and programs on one, and restores the keys', () => {
    assert.deepEqual(planDistribution(catalogue), [
      'alter table clicks drop constraint clicks_affiliate_fkey',
      `select create_reference_table('programs')`,
      `select create_distributed_table('affiliates', 'program_id', colocate_with => 'none')`,
      `select create_distributed_table('clicks', 'program_id', colocate_with => 'affiliates')`,
      'alter table clicks add constraint clicks_affiliate_fkey FOREIGN KEY (program_id) REFERENCES affiliates(program_id)',
    ]);
  });

  test('adds a new table to the others, and is empty when all are distributed', () => {
    const before = { ...catalogue, distributed: ['affiliates'], replicated: ['programs'] };
    assert.deepEqual(planDistribution(before), [
      'alter table clicks drop constraint clicks_affiliate_fkey',
      `select create_distributed_table('clicks', 'program_id', colocate_with => 'affiliates')`,
      'alter table clicks add constraint clicks_affiliate_fkey FOREIGN KEY (program_id) REFERENCES affiliates(program_id)',
    ]);
    assert.deepEqual(findUndistributed(before), ['clicks']);
    assert.deepEqual(planDistribution({ ...before, distributed: ['affiliates', 'clicks'] }), []);
  });
});

test('migrations are split into their statements', () => {
  assert.deepEqual(splitStatements(`-- one; two\ncreate table a (b text default ';' /* ; */, "c;" text);\nselect 1`), [
    `create table a (b text default ';'  , "c;" text)`,
    'select 1',
  ]);
  for (const name of readdirSync('migrations').filter((each) => /^\d{4}_.*\.sql$/.test(each)))
    for (const statement of splitStatements(readFileSync(`migrations/${name}`, 'utf8')))
      assert.match(statement, /^(create|alter|comment|insert|update|delete|drop|with|select|lock|do|grant|revoke|set)\b/i, name);
});

test('versions of Citus that leak or crash are rejected', () => {
  for (const version of ['13.2.0', '13.2.1', '13.2.2', '14.0.0', '14.0.1', '12.1.12'])
    assert.equal(judgeVersion(version).isGood, false, version);
  assert.deepEqual(judgeVersion('13.1.1'), { isGood: true, finding: 'Citus 13.1.1' });
  assert.equal(judgeVersion('15.0.0').isGood, true);
});

test('statements are prepared on a cluster, except changes that read other tables', () => {
  for (const text of [
    'select a.id from affiliates a join groups g on g.program_id = $1 where a.program_id = $1 for update',
    'with named as (select 1) select * from named',
    'insert into clicks (program_id) values ($1) on conflict do update set at = excluded.at',
    'update affiliates set clicks = clicks + 1 where program_id = $1 and id = $2 returning id',
    'delete from clicks where program_id = $1',
  ])
    assert.equal(isReusableOnCluster(text), true, text);
  for (const text of [
    '\n  update affiliates as a set clicks = s.clicks from unnest($2) as s where a.program_id = $1',
    'update api_keys set used = $1 where program_id = $2 and id in (select id from api_keys where program_id = $2)',
    'delete from clicks c using affiliates a where c.program_id = $1 and a.program_id = $1',
    'with added as (select 1) update affiliates set clicks = 1 from added where program_id = $1',
  ])
    assert.equal(isReusableOnCluster(text), false, text);
});

describe('a server starts', () => {
  const cluster = { version: '13.1.1', nodes: [], isDistributed: true, undistributed: [] };

  test('on one PostgreSQL, and on a cluster with every table distributed', () => {
    requireDistributed(null);
    requireDistributed(cluster);
  });

  test('on no cluster without distribution, or with a table that is not distributed', () => {
    const missing = { ...cluster, undistributed: ['clicks'] };
    assert.throws(
      () => requireDistributed(missing),
      /These tables are not distributed: clicks\. Run "bin\/tributary migrate --distribute"/,
    );
    assert.throws(() => requireDistributed({ ...missing, isDistributed: false }), /Its tables are not distributed\./);
  });
});

test('a database without Citus is not distributed, and not changed', async () => {
  const { connection, drop } = await emptyDatabase();
  const pool = connect({ ...connection, max: 2 });
  try {
    assert.equal(await readCluster(pool), null);
    await assert.rejects(
      distribute(pool, { isProtected: true }),
      (error) => error instanceof ClusterFault && /has no Citus/.test(error.message),
    );
  } finally {
    await pool.end();
    await drop();
  }
});
