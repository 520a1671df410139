// The connection pool of a process. Timeouts prevent requests from piling up when the database is slow or unreachable:
// they fail with 503 after at most 7 s.
import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import type { DB } from './schema.gen.ts';
import { type Admission, prepareStatements } from './statements/prepared-statements.ts';

export type Connection = pg.PoolConfig;

const { builtins } = pg.types;

/**
 * `pg` returns int8 as text. All stored amounts are safe integers, because inputs, calculations and the ledger are
 * limited (lib/money.ts). Reading doesn't check again, since one larger value would make every list with it fail.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (id === builtins.INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(id, format)),
};

const timeouts: pg.PoolConfig = {
  connectionTimeoutMillis: 3000,
  query_timeout: 30_000,
  statement_timeout: 5000,
  lock_timeout: 3000,
  idle_in_transaction_session_timeout: 10_000,
  keepAlive: true,
};

/**
 * Opens a pool. Its connections send statements without waiting for the results of earlier ones, which excludes COPY and
 * cursors (`pipeline: false` allows them). With a `role`, they switch to that role and lose the permissions of their account.
 */
export function connect({ role, ...connection }: Connection & { role?: string }): pg.Pool {
  const ignore = () => {}; // The current query rejects, and its caller handles the error.
  const pool = new pg.Pool({
    ...timeouts,
    application_name: 'tributary',
    types,
    pipeline: true,
    ...connection,
    // Before any other statement of the connection. If it fails, the connection is closed.
    async onConnect(client) {
      // Without a listener, a connection that breaks while in use would end the process.
      client.on('error', ignore);
      if (role) await client.query(`set role ${role}`);
    },
  });
  pool.on('error', ignore);
  return pool;
}

/** Typed queries on the pool. `admit` limits how many of its connections they use at the same time. */
export function typedQueries(pool: Pick<pg.Pool, 'connect' | 'options'>, admit?: Admission): Kysely<DB> {
  return queriesOn(prepareStatements(pool, admit));
}

/** Typed queries on connections that are passed as they are. */
export function queriesOn(pool: PostgresPool): Kysely<DB> {
  const plugin = new CamelCasePlugin({ maintainNestedObjectKeys: true });
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }), plugins: [plugin] });
}

/** Throws for a server that is too old, or that could lose a committed transaction. */
export async function checkServer(pool: pg.Pool, { allowUnsafe = false } = {}): Promise<{ version: string }> {
  const { rows } = await pool.query<{ version: string; number: number; fsync: string; pages: string; recovering: boolean }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
            current_setting('fsync') as fsync, current_setting('full_page_writes') as pages, pg_is_in_recovery() as recovering`,
  );
  const server = rows[0];
  if (!server) throw new Error('The database did not return its version.');
  if (server.number < 150_000) throw new Error(`PostgreSQL 15 or newer is required; this is ${server.version}.`);
  if (server.recovering) throw new Error('This database is a standby: point DATABASE_URL at the primary.');
  if (!allowUnsafe && (server.fsync === 'off' || server.pages === 'off')) {
    throw new Error('This database runs with fsync or full_page_writes off: it could lose committed data.');
  }
  return { version: server.version };
}
