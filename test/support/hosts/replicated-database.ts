// A primary and its standby, each a real PostgreSQL of its own folder, for tests of what happens when the primary is lost.
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { databaseUser } from '../../../server/platform/db/embedded/initialise.ts';
import { findLocation } from '../../../server/platform/db/embedded/location.ts';
import { databaseName } from '../../../server/platform/db/embedded/ownership.ts';
import { type Cluster, startPostmaster, stopPostmaster } from '../../../server/platform/db/embedded/postmaster.ts';
import { getProcessState } from '../../../server/platform/db/embedded/postmaster-file.ts';
import { until } from '../time/wait.ts';

export type DatabaseHost = {
  folder: string;
  /** For a URL: the folder of the socket, encoded, and the port. */
  address: string;
  connection: pg.ClientConfig;
  run<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>;
  start(settings?: Record<string, string>): Promise<void>;
  /** Ends all of its processes at once, as a power cut does. */
  kill(): Promise<void>;
  stop(): Promise<void>;
};

export type ReplicatedDatabase = {
  primary: DatabaseHost;
  standby: DatabaseHost;
  /** A DATABASE_URL with both hosts. */
  url: string;
  /** Makes the standby the primary, and returns when it accepts writes. */
  promote(): Promise<void>;
  /** Makes the former primary a standby of the present one, and swaps their names here. */
  rebuildStandby(): Promise<void>;
  close(): Promise<void>;
};

/** `isSynchronous`: a commit waits until the standby has it. */
export async function openReplicatedDatabase({ isSynchronous = true } = {}): Promise<ReplicatedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), `tributary-hosts-${process.pid}-`));
  await chmod(folder, 0o755);
  const [one, two] = [createHost(join(folder, 'one')), createHost(join(folder, 'two'))];
  await one.start();
  await runOn({ ...one.connection, database: 'postgres' }, `create database ${databaseName}`);
  const pair = { primary: one, standby: two };
  const rebuild = async () => {
    await copyAsStandby(pair.primary, pair.standby);
    if (!isSynchronous) return;
    await pair.primary.run(`alter system set synchronous_standby_names = '*'`);
    await pair.primary.run('select pg_reload_conf()');
    await until('the standby is synchronous', async () => {
      const rows = await pair.primary.run(`select 1 from pg_stat_replication where sync_state = 'sync'`);
      return rows.length === 1;
    });
  };
  await rebuild();
  return {
    get primary() {
      return pair.primary;
    },
    get standby() {
      return pair.standby;
    },
    url: `postgres://${databaseUser}@${one.address},${two.address}/${databaseName}`,
    async promote() {
      await pair.standby.run('select pg_promote()');
      // It has copied the setting, and no standby confirms its commits.
      await pair.standby.run('alter system reset synchronous_standby_names');
      await pair.standby.run('select pg_reload_conf()');
    },
    async rebuildStandby() {
      [pair.primary, pair.standby] = [pair.standby, pair.primary];
      await pair.standby.stop();
      await rebuild();
    },
    async close() {
      await Promise.all([one.stop(), two.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function createHost(folder: string): DatabaseHost {
  const location = findLocation(folder);
  const cluster: Cluster = { location, settings: {}, log: () => {}, socketDir: null };
  const socketDir = join(folder, 'run');
  const connection = { host: socketDir, port: 5432, user: databaseUser, database: databaseName };
  let pid: number | undefined;
  const isRunning = () => pid !== undefined && getProcessState(pid, location.clusterDir) === 'postmaster';
  return {
    folder,
    address: `${encodeURIComponent(socketDir)}:5432`,
    connection,
    run: (text) => runOn(connection, text),
    async start(settings = {}) {
      cluster.settings = { wal_level: 'replica', max_wal_senders: '4', hot_standby: 'on', wal_keep_size: '256MB', ...settings };
      const started = await startPostmaster(cluster, { mayCreate: true });
      pid = started.pid;
      await until('the database answers', async () => {
        const failure = started.failure();
        if (failure) throw failure.error;
        return runOn({ ...connection, database: 'postgres' }, 'select 1').then(
          () => true,
          () => false,
        );
      });
    },
    async kill() {
      if (pid === undefined || !isRunning()) return;
      process.kill(-pid, 'SIGKILL');
      await until('its processes have ended', () => !isRunning());
    },
    async stop() {
      if (pid !== undefined && isRunning()) await stopPostmaster(cluster, pid);
    },
  };
}

/** Copies the files of a running primary in backup mode, and starts the copy as its standby. */
async function copyAsStandby(primary: DatabaseHost, standby: DatabaseHost): Promise<void> {
  const target = join(standby.folder, 'postgres');
  await rm(target, { recursive: true, force: true });
  const client = new pg.Client(primary.connection);
  await client.connect();
  await client.query(`select pg_backup_start('standby', true)`);
  const copied = spawnSync('cp', ['-a', join(primary.folder, 'postgres'), target], { encoding: 'utf8' });
  // Files that PostgreSQL removes in the meantime are in the log that the standby replays.
  if (!existsSync(join(target, 'PG_VERSION'))) throw new Error(copied.stderr);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await client.end();
  await rm(join(target, 'postmaster.pid'), { force: true });
  writeFileSync(join(target, 'backup_label'), rows[0]?.labelfile ?? '');
  writeFileSync(join(target, 'standby.signal'), '');
  spawnSync('chown', ['--reference', join(target, 'PG_VERSION'), join(target, 'backup_label'), join(target, 'standby.signal')]);
  const conninfo = `host=${primary.connection.host} port=5432 user=${databaseUser} application_name=standby`;
  await standby.start({ primary_conninfo: conninfo });
}

async function runOn<Row extends pg.QueryResultRow>(connection: pg.ClientConfig, text: string): Promise<Row[]> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 3000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
