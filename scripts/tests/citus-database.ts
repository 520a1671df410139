// The template that tests clone on an existing Citus cluster (`CITUS_URL=… npm test -- --citus`): on its coordinator and
// on each worker, with the tables distributed. It stays there for the next run.
import pg from 'pg';
import pino from 'pino';
import { ensureAppRole } from '../../server/platform/db/app-role.ts';
import { distribute } from '../../server/platform/db/cluster/distribute.ts';
import { connect } from '../../server/platform/db/connect.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import { createQueues, openQueue } from '../../server/platform/queue/queue.ts';
import { fingerprint, type TestDatabase } from '../test-database.ts';

type Server = { host: string; port: number };
type Coordinator = TestDatabase['connection'] & { password?: string };
/** A database of a cluster, and its workers. */
type ClusterDatabase = Coordinator & { workers: readonly Server[] };

/** Few, so that tests are quick. */
const shardsOfTests = 4;

/** Makes the template ready. `url` is a database of the cluster whose account may create databases on every node. */
export async function openCitusDatabase(url: string): Promise<TestDatabase> {
  const connection = await toClusterDatabase(url, `tributary_${fingerprint().split('-').at(-1)}`);
  if (!(await isReady(connection))) await build(connection);
  return { connection, close: async () => {} };
}

/** A database with another name on the cluster of `url`, whether it exists or not. */
export async function toClusterDatabase(url: string, database: string) {
  const { hostname: host, port, username: user, password } = new URL(url);
  const coordinator: Coordinator = { host, port: Number(port || 5432), user, database };
  if (password) coordinator.password = decodeURIComponent(password);
  return { ...coordinator, workers: await readWorkers(url) };
}

/**
 * Creates the database with the tables of the service, distributed over the workers. Replaces an older one. With `first`, only so
 * many workers are nodes of the database; the others can be added.
 */
export async function createClusterDatabase(
  { workers, ...coordinator }: ClusterDatabase,
  { shards, first }: { shards: number; first?: number },
): Promise<void> {
  const { database } = coordinator;
  for (const node of [coordinator, ...workers.map((worker) => ({ ...coordinator, ...worker }))]) {
    await run({ ...node, database: 'postgres' }, [`drop database if exists ${database} with (force)`, `create database ${database}`]);
    await run(node, ['create extension citus']);
  }
  await run(coordinator, [
    `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
    ...workers.slice(0, first).map(({ host, port }) => `select citus_add_node('${host}', ${port})`),
  ]);
  const pool = connect({ ...coordinator, options: `-c citus.shard_count=${shards}` });
  // Imported only here, because it loads the whole service.
  const { jobs } = await import('../../server/schedule.ts');
  await migrate(pool, new Date());
  const boss = await openQueue(pool, pino({ level: 'silent' }), { supervise: false });
  await createQueues(boss, jobs);
  await boss.stop({ graceful: false });
  await distribute(pool, { isProtected: await ensureAppRole(pool) });
  await pool.end();
}

/** Drops it on every node. */
export async function dropClusterDatabase({ workers, database, ...first }: ClusterDatabase): Promise<void> {
  for (const server of [first, ...workers])
    await run({ ...first, ...server, database: 'postgres' }, [`drop database if exists ${database} with (force)`]);
}

async function readWorkers(url: string): Promise<Server[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Server>('select nodename as host, nodeport as port from pg_dist_node where groupid > 0');
    if (rows.length === 0) throw new Error('The database of CITUS_URL knows no worker: add them with citus_add_node.');
    return rows;
  } finally {
    await client.end();
  }
}

/** A template is closed to connections when it is complete. */
async function isReady(coordinator: Coordinator): Promise<boolean> {
  const rows = await run({ ...coordinator, database: 'postgres' }, [
    `select 1 from pg_database where datname = '${coordinator.database}' and not datallowconn`,
  ]);
  return rows.length > 0;
}

async function build({ workers, ...coordinator }: ClusterDatabase): Promise<void> {
  await createClusterDatabase({ ...coordinator, workers }, { shards: shardsOfTests });
  // The coordinator last: it says that the template is complete.
  for (const node of [...workers.map((worker) => ({ ...coordinator, ...worker })), coordinator])
    await run({ ...node, database: 'postgres' }, [
      `alter database ${coordinator.database} allow_connections false`,
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${coordinator.database}'`,
    ]);
}

async function run(server: pg.ClientConfig, statements: readonly string[]): Promise<unknown[]> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}
