// A node of a cluster is restored from a copy of its database: `CITUS_URL=… npm test -- --citus`.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { cloneDatabase, openTestService, type TestProgram, type TestService, template } from '../../../../test/support/harness.ts';
import { watchAlerts } from '../../../operations/alerts/watch.ts';

type Place = { shard: string; host: string; port: number };

const skip = template().workers ? false : 'needs CITUS_URL';

describe('payouts on a cluster', { skip }, () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let service: TestService;
  /** Two programs on one node that are moved separately, and one on another node. */
  let moved: TestProgram;
  let staying: TestProgram;
  let elsewhere: TestProgram;
  before(async () => {
    database = await cloneDatabase();
    service = await openTestService({ database: database.connection });
    moved = service.program;
    const place = await readPlace(moved);
    staying = await create(({ port, shard }) => port === place.port && shard !== place.shard);
    elsewhere = await create(({ port }) => port !== place.port);
  });
  after(async () => {
    await service.close();
    await database.drop();
  });

  const read = async ({ path, key }: TestProgram) => (await service.request('GET', `${path}/payouts/reconciliation`, { key })).body;
  const post = async ({ path, key }: TestProgram, what: string, body: object = {}) =>
    (await service.request('POST', `${path}/payouts/${what}`, { key, body })).body;
  const readLocks = () => Promise.all([moved, staying, elsewhere].map(async (program) => (await read(program)).lockReason));

  async function create(isThere: (place: Place) => boolean): Promise<TestProgram> {
    for (;;) {
      const program = await service.newProgram('Program');
      if (isThere(await readPlace(program))) return program;
    }
  }

  async function readPlace({ programId }: TestProgram): Promise<Place> {
    const { rows } = await service.pool.query(
      `select shardid as shard, nodename as host, nodeport as port from pg_dist_placement join pg_dist_node using (groupid)
       where shardid = get_shard_id_for_distribution_column('affiliates', $1::uuid)`,
      [programId],
    );
    return rows[0];
  }

  test('continue after the program was moved to another node', async () => {
    assert.deepEqual(await readLocks(), [null, null, null]);
    const [from, to] = [await readPlace(moved), await readPlace(elsewhere)];
    const client = new pg.Client(coordinator());
    await client.connect();
    await client.query(
      `select citus_move_shard_placement(${from.shard}, '${from.host}', ${from.port}, '${to.host}', ${to.port}, 'block_writes')`,
    );
    await client.end();
    assert.equal((await readPlace(moved)).port, to.port);
    assert.notEqual((await post(moved, 'dispatch')).code, 'reconciliation_required');
    assert.deepEqual(await readLocks(), [null, null, null]);
  });

  test('are locked for the programs of a node that was restored, until they are reconciled', async () => {
    await restore({ ...coordinator(), ...(await readPlace(staying)) });
    assert.equal((await post(staying, 'dispatch')).code, 'reconciliation_required');
    for (const program of [moved, elsewhere]) assert.notEqual((await post(program, 'dispatch')).code, 'reconciliation_required');
    assert.deepEqual(await readLocks(), [null, 'database_restored', null]);
    await watchAlerts.run(service.ctx, {}, { isLast: true });
    const { rows } = await service.pool.query(`select program_id as id from alerts where kind = 'payouts_locked' and status = 'open'`);
    const alerted = rows.map(({ id }) => id);
    assert.deepEqual(
      [moved, staying, elsewhere].map(({ programId }) => alerted.includes(programId)),
      [false, true, false],
    );
    assert.equal((await post(staying, 'reconcile', { acknowledge: true })).isUnlocked, true);
    assert.deepEqual(await readLocks(), [null, null, null]);
    assert.notEqual((await post(staying, 'dispatch')).code, 'reconciliation_required');
  });

  test('are not locked for a new program on that node', async () => {
    const { port } = await readPlace(staying);
    const fresh = await create((place) => place.port === port);
    assert.equal((await read(fresh)).lockReason, null);
    assert.notEqual((await post(fresh, 'dispatch')).code, 'reconciliation_required');
  });

  function coordinator() {
    const { workers: _, ...server } = database.connection;
    return server;
  }
});

/** Replaces the database of a node by a copy, as a restore of its backup does. Connections to it end. */
async function restore({ database, host, port, user }: { database: string; host: string; port: number; user: string }): Promise<void> {
  const client = new pg.Client({ host, port, user, database: 'postgres' });
  await client.connect();
  try {
    for (const statement of [
      `alter database ${database} allow_connections false`,
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${database}'`,
      `create database ${database}_copy template ${database} strategy file_copy`,
      `drop database ${database} with (force)`,
      `alter database ${database}_copy rename to ${database}`,
    ])
      await client.query(statement);
  } finally {
    await client.end();
  }
}
