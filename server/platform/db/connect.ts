// The one pool of a process. Bounds keep a slow or vanished database from piling up requests: they
// fail with 503 instead (reliability: a black-holed database answers in 7 s at the latest).
import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import type { DB } from './schema.gen.ts';

export type Connection = pg.PoolConfig;

const { builtins } = pg.types;

/**
 * int8 arrives as text in `pg`. What is written is a safe integer: inputs, calculations and the ledger are limited
 * (lib/money.ts). Reading doesn't check it again, since one larger value would make every list that contains it fail.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (id === builtins.INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(id, format)),
};

const bounds: pg.PoolConfig = {
  connectionTimeoutMillis: 3000,
  query_timeout: 30_000,
  statement_timeout: 5000,
  lock_timeout: 3000,
  idle_in_transaction_session_timeout: 10_000,
  keepAlive: true,
};

/**
 * A pool that survives its connections. Without a listener on every client, a connection that
 * breaks while it is checked out would end the process. With a `role` they give up the rights of
 * the account they connect as.
 */
export function connect({ role, ...connection }: Connection & { role?: string }): pg.Pool {
  const pool = new pg.Pool({ ...bounds, application_name: 'tributary', types, ...connection });
  const ignore = () => {}; // The query that was under way rejects; that is where it's handled.
  pool.on('error', ignore);
  pool.on('connect', (client) => {
    client.on('error', ignore);
    // Queued before anything else of this connection; without it the connection is of no use.
    if (role) client.query(`set role ${role}`).catch(() => client.end().catch(ignore));
  });
  return pool;
}

export function typedQueries(pool: PostgresPool): Kysely<DB> {
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

/** Refuses a server that could lose an acknowledged commit, or that is too old. */
export async function checkServer(pool: pg.Pool, { allowUnsafe = false } = {}): Promise<{ version: string }> {
  const { rows } = await pool.query<{ version: string; number: number; fsync: string; pages: string; recovering: boolean }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
            current_setting('fsync') as fsync, current_setting('full_page_writes') as pages, pg_is_in_recovery() as recovering`,
  );
  const server = rows[0];
  if (!server) throw new Error('The database did not say what it is.');
  if (server.number < 150_000) throw new Error(`PostgreSQL 15 or newer is needed; this is ${server.version}.`);
  if (server.recovering) throw new Error('This database is a standby: point DATABASE_URL at the primary.');
  if (!allowUnsafe && (server.fsync === 'off' || server.pages === 'off')) {
    throw new Error('This database runs with fsync or full_page_writes off: it could lose what was acknowledged.');
  }
  return { version: server.version };
}
