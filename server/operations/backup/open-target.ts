// Opens the database that a backup is restored into. No server may use it in the meantime.
import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { checkServer, connect } from '../../platform/db/connect.ts';
import { openEmbedded } from '../../platform/db/embedded/open.ts';
import { openHosts } from '../../platform/db/hosts/follow-primary.ts';
import { migrationLock } from '../../platform/db/migrate.ts';
import { type AnyJob, createQueues, openQueue } from '../../platform/queue/queue.ts';

/** The database can't be replaced as it is. */
export class UnsuitableTarget extends Error {}

type Options = {
  config: Config;
  log: Logger;
  jobs: readonly AnyJob[];
  /** Whether the data of the database may be replaced. */
  replace: boolean;
};

/** Checks the database, and passes a connection and the queue to `act`. Throws UnsuitableTarget. */
export async function withTarget<Result>(
  { config, log, jobs, replace }: Options,
  act: (target: { client: pg.PoolClient; boss: PgBoss }) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, dataDir } = config;
  const place = databaseUrl ? await openHosts(databaseUrl, log) : await openEmbedded({ dataDir, role: 'command', name: 'restore' });
  const unlimited = { statement_timeout: 0, query_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };
  const pool = connect({ ...place.connection, ...unlimited, application_name: 'tributary restore', max: 2, pipeline: false });
  try {
    await checkServer(pool);
    const client = await pool.connect();
    try {
      await requireSuitable(client, replace);
      const boss = await openQueue(pool, log, { supervise: false });
      await createQueues(boss, jobs);
      return await act({ client, boss }).finally(() => boss.stop({ graceful: false }));
    } finally {
      client.release(true); // Ends the session, and with it the lock.
    }
  } finally {
    await pool.end();
    await place.close();
  }
}

async function requireSuitable(client: pg.PoolClient, replace: boolean): Promise<void> {
  // A server that starts now waits until the backup is restored.
  const lock = await client.query<{ isFree: boolean }>('select pg_try_advisory_lock($1) as "isFree"', [migrationLock]);
  if (!lock.rows[0]?.isFree) throw new UnsuitableTarget('A server is starting on this database. Stop every server and worker first.');
  const others = await client.query<{ name: string }>(
    `select distinct coalesce(nullif(application_name, ''), usename) as name from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and application_name <> 'tributary restore'`,
  );
  if (others.rows.length > 0) {
    const names = others.rows.map(({ name }) => name).join(', ');
    throw new UnsuitableTarget(`Other processes use this database (${names}). Stop every server and worker first.`);
  }
  const tables = await client.query<{ count: number; isOurs: boolean }>(
    `select count(*) as count, to_regclass('public.programs') is not null and to_regclass('public.migrations') is not null as "isOurs"
     from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  );
  const { count = 0, isOurs = false } = tables.rows[0] ?? {};
  if (count === 0) return;
  if (!isOurs) throw new UnsuitableTarget('This database contains tables of another application. Restore into an empty database.');
  if (replace) return;
  const data = await client.query('(select id from programs limit 1) union all (select id from users limit 1)');
  if (data.rows.length > 0)
    throw new UnsuitableTarget(
      'This database contains data. Restore into an empty one, or pass --replace to delete everything in it. Nothing was changed.',
    );
}
