// What only a Citus cluster shows: `CITUS_URL=… npm test -- --citus`.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestService, template } from '../../../../test/support/harness.ts';
import { findNodeFaults, readCluster } from './cluster.ts';
import { runOnCluster } from './distribute-tables.ts';

const skip = template().workers ? false : 'needs CITUS_URL';

describe('on a cluster', { skip }, () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  test('every table is distributed, and the role of the service can log in on every node', async () => {
    const cluster = await readCluster(service.pool);
    assert.deepEqual([cluster?.isDistributed, cluster?.undistributed], [true, []]);
    const client = await service.pool.connect();
    assert.deepEqual(await findNodeFaults(client, 'tributary_app'), []);
    client.release();
  });

  test('a later migration creates a table that refers to distributed ones, and fills it', async () => {
    const client = await service.pool.connect();
    try {
      await client.query('begin');
      await runOnCluster(
        client,
        `-- A table; with keys.
        create table notes (program_id uuid not null constraint notes_program_fkey references programs (id), id uuid not null,
          affiliate_id uuid, constraint notes_pkey primary key (program_id, id),
          constraint notes_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id));
        comment on table notes is 'Notes';
        create index notes_affiliate_index on notes (program_id, affiliate_id);
        alter table affiliates add column color text;
        insert into notes (program_id, id) select id, gen_random_uuid() from programs;`,
      );
      assert.deepEqual((await readCluster(client))?.undistributed, []);
      assert.deepEqual((await client.query('select count(*)::int from notes')).rows, [{ count: 2 }]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  test('a request can only use the rows of one program, a job those of all', async () => {
    const count = sql<{ count: number }>`select count(*)::int from api_keys`;
    await assert.rejects(count.execute(service.ctx.db), /multi-task query/);
    await assert.rejects(count.execute(service.ctx.programDb(service.program.programId)), /multi-task query/);
    assert.deepEqual((await count.execute(service.ctx.allProgramsDb ?? service.ctx.db)).rows, [{ count: 4 }]);
  });

  test('requests of a program connect to the node that stores it', async () => {
    const nodes = new Map<string, number>();
    for (let number = 0; number < 8; number += 1) {
      const { programId } = await service.newProgram(`Program ${number}`);
      const { rows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(service.ctx.programDb(programId));
      const { rows: places } = await service.pool.query(
        `select nodeport as port from pg_dist_placement join pg_dist_node using (groupid)
         where shardid = get_shard_id_for_distribution_column('affiliates', $1::uuid)`,
        [programId],
      );
      assert.deepEqual(rows, places);
      nodes.set(programId, rows[0]?.port ?? 0);
    }
    assert.ok(new Set(nodes.values()).size > 1);
  });

  test('a statement can be used any number of times, even if a plan for unknown values would need all nodes', async () => {
    const { programId } = service.program;
    const db = service.ctx.programDb(programId);
    for (let use = 0; use < 20; use += 1)
      await sql`update unattributed_orders as stored set conversion_id = credited.id from unnest(${[programId]}::uuid[], ${['x']}::text[])
        as credited (id, order_id) where stored.program_id = ${programId} and stored.order_id = credited.order_id`.execute(db);
  });

  test('simultaneous requests record an order once', async () => {
    const { id } = await anAffiliate(service, { status: 'active' });
    const order = { orderId: 'order-1', amountCents: 10_000, affiliateId: id };
    const answers = await Promise.all(Array.from({ length: 5 }, () => service.request('POST', '/v1/conversions', { body: order })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
    const { rows } = await service.pool.query('select count(*)::int as orders from conversions');
    assert.deepEqual(rows, [{ orders: 1 }]);
  });
});
