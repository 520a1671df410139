// Builds the one Context of a process: database (embedded or DATABASE_URL), queue, mail, log.
import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { applicationName, checkSecretKeys, openSecretKeys } from './check-secret-keys.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { smtpMailer } from './messaging/emails/mailer.ts';
import { openDatabase, openLog } from './open-database.ts';
import { appRole, ensureAppRole } from './platform/db/app-role.ts';
import { type Cluster, readCluster, requireDistributed } from './platform/db/cluster/cluster.ts';
import { type Distributed, distribute } from './platform/db/cluster/distribute.ts';
import { type NodePools, openNodePools, toNodeUrl } from './platform/db/cluster/node-pools.ts';
import { forPrograms } from './platform/db/cluster/program-options.ts';
import { acrossProgramsOptions } from './platform/db/cluster/settings.ts';
import { type Connection, checkServer, connect, typedQueries } from './platform/db/connect.ts';
import type { EmbeddedDatabase } from './platform/db/embedded/open.ts';
import { type Hosts, openHosts } from './platform/db/hosts/follow-primary.ts';
import { parseHosts } from './platform/db/hosts/parse-hosts.ts';
import { loadColumnTypes } from './platform/db/inserts/column-types.ts';
import { migrate } from './platform/db/migrate.ts';
import { limitConnectionsPerProgram } from './platform/db/program-connections.ts';
import { createOutgoingHttp } from './platform/http/outgoing/outgoing.ts';
import { systemClock } from './platform/lib/clock.ts';
import { openWorkers } from './platform/lib/concurrency/workers.ts';
import { randomIds } from './platform/lib/ids.ts';
import { findDnsRecords } from './platform/lib/network/dns.ts';
import { once } from './platform/lib/once.ts';
import { createJobs } from './platform/queue/outbox.ts';
import { createQueues, openQueue } from './platform/queue/queue.ts';
import { createVault, type Vault } from './platform/secrets/vault.ts';

export type Service = {
  ctx: Context;
  pool: pg.Pool;
  boss: PgBoss;
  /** For connections outside the pool. */
  connection: Connection;
  database: {
    how: EmbeddedDatabase['how'] | 'external';
    version: string;
    migrated: string[];
    isProtected: boolean;
    /** Null on one PostgreSQL. */
    cluster: Cluster | null;
    /** What `isDistributing` changed. */
    distributed: Distributed | null;
  };
  /** Waits for jobs that are running. */
  stopJobs(): Promise<void>;
  close(): Promise<void>;
};

type Opening = {
  /** A `server` runs until it is stopped, a `command` ends on its own. */
  role: 'server' | 'command';
  name: string;
  /** Whether this process runs schedules and maintenance of the queue. */
  supervise?: boolean;
  /** Whether the tables are distributed over the nodes of a Citus cluster. */
  isDistributing?: boolean;
  /** A database that is being opened; otherwise it is opened here. */
  database?: Promise<EmbeddedDatabase | null>;
};

/** Connections for migrations and the queue. Requests have a separate pool. */
const ownerConnections = 3;

/** Opens the resources of a process and applies missing migrations. */
export async function openService(config: Config, opening: Opening): Promise<Service> {
  const { role, supervise = false, isDistributing = false } = opening;
  const log = openLog(config);
  const embedded = await (opening.database ?? openDatabase(config, opening, log));
  const place: Hosts = embedded ?? (await openHosts(config.databaseUrl ?? '', log));
  const target = place.connection;
  const vault = await openVault(target, config).catch(async (error: unknown) => {
    await place.close();
    throw error;
  });
  const connection: Connection = { ...target, application_name: applicationName(vault.keyNames) };
  // Commands such as `verify` run without a time limit, and compute between their statements.
  const timeouts: Connection = role === 'command' ? { query_timeout: 0, idle_in_transaction_session_timeout: 60_000 } : {};
  // At least one connection stays open, because other processes read the key names from it.
  const owner = connect({ ...connection, ...timeouts, min: 1, max: ownerConnections });
  let pool: pg.Pool | undefined;
  let boss: PgBoss | undefined;
  try {
    const { version } = await checkServer(owner);
    const migrated = await migrate(owner, systemClock.now());
    if (role === 'server') await checkSecretKeys({ db: typedQueries(owner), keyNames: vault.keyNames }, config);
    const queue = await openQueue(owner, log, { supervise });
    boss = queue;
    if (role === 'server' || migrated.length > 0) await createQueuesOfJobs(queue);
    const isProtected = await ensureAppRole(owner);
    if (!isProtected) log.warn('the database account cannot create roles: the ledger is not protected by permissions');
    const distributed = isDistributing ? await distribute(owner, { isProtected }) : null;
    const [cluster] = await Promise.all([readCluster(owner), loadColumnTypes(owner)]);
    if (role === 'server') requireDistributed(cluster);
    const rights = isProtected ? { role: appRole } : {};
    const opened: Connection = { ...connection, ...timeouts, ...rights };
    const pools = openPools(opened, { isCluster: cluster !== null, role, config });
    pool = pools.pool;
    const appPool = pools.pool;
    const { ctx, release } = createContext({ ...pools, config, log, boss: queue, vault });
    const stopJobs = () => queue.stop({ graceful: true, timeout: 10_000 });
    return {
      ctx,
      pool: appPool,
      boss: queue,
      connection,
      database: { how: embedded?.how ?? 'external', version, migrated, isProtected, cluster, distributed },
      stopJobs,
      // A signal during the start closes it, too.
      close: once(async () => {
        await stopJobs();
        await release();
        await appPool.end();
        await owner.end();
        await place.close();
      }),
    };
  } catch (error) {
    await boss?.stop({ graceful: false });
    await pool?.end();
    await owner.end();
    await place.close();
    throw error;
  }
}

/**
 * A server creates the queues of its release, and so does whatever migrates a database. Other commands run no jobs: their start
 * takes half the time without the files of all jobs.
 */
async function createQueuesOfJobs(queue: PgBoss): Promise<void> {
  const { jobs } = await import('./schedule.ts');
  await createQueues(queue, jobs);
}

type Pools = { pool: pg.Pool; allProgramsPool: pg.Pool | null; nodes: NodePools | null };

/** Few, for jobs only. */
const allProgramsConnections = 4;

type OpeningPools = { isCluster: boolean; role: Opening['role']; config: Pick<Config, 'databasePoolMax' | 'databaseUrl'> };

/** On a cluster, a server has separate connections for the programs of each node, and for statements on several programs. */
function openPools(connection: Connection, { isCluster, role, config }: OpeningPools): Pools {
  const max = config.databasePoolMax;
  if (!isCluster) return { pool: connect({ ...connection, max }), allProgramsPool: null, nodes: null };
  if (role === 'command')
    return { pool: connect({ ...connection, max, options: acrossProgramsOptions }), allProgramsPool: null, nodes: null };
  const { url = '' } = parseHosts(config.databaseUrl ?? '')?.[0] ?? {};
  const { Client: _, ...settings } = connection;
  const open = (address: string) => connect({ ...settings, connectionString: toNodeUrl(url, address), max, ...forPrograms });
  const coordinator = connect({ ...connection, max, ...forPrograms });
  return {
    pool: coordinator,
    allProgramsPool: connect({ ...connection, max: allProgramsConnections, options: acrossProgramsOptions }),
    nodes: openNodePools({ coordinator, open }),
  };
}

type Parts = Pools & { config: Config; log: Logger; boss: PgBoss; vault: Vault };

/** Creates the Context, with a function that releases its resources. */
function createContext({ pool, allProgramsPool, nodes, config, log, boss, vault }: Parts): { ctx: Context; release(): Promise<void> } {
  const mailer = config.smtpUrl ? smtpMailer(config.smtpUrl) : null;
  const workers = openWorkers();
  const http = createOutgoingHttp({ allowPrivate: config.allowPrivateAddresses });
  const ctx: Context = {
    db: typedQueries(pool),
    programDb: limitConnectionsPerProgram(nodes?.poolOf ?? (() => pool), config.databasePoolMax),
    clock: systemClock,
    ids: randomIds,
    log,
    config,
    mailer,
    jobs: createJobs(boss),
    http,
    checkUrl: http.checkUrl,
    findDnsRecords,
    vault,
    workers,
  };
  if (allProgramsPool) ctx.allProgramsDb = typedQueries(allProgramsPool);
  return {
    ctx,
    async release() {
      await allProgramsPool?.end();
      await nodes?.close();
      mailer?.close();
      await http.close();
      await workers.close();
    },
  };
}

/** The names of its keys are part of every later connection, so it has its own connection. */
async function openVault(target: Connection, config: Config): Promise<Vault> {
  const pool = connect({ ...target, max: 1 });
  try {
    return createVault(await openSecretKeys(typedQueries(pool), config));
  } finally {
    await pool.end();
  }
}
