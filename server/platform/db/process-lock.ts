// Shows whether a process is alive. Each process holds an advisory lock on its own connection. When the process
// ends, for any reason, the database releases the lock within moments, and other processes can take over its claims.
import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { repeat } from '../lib/concurrency/repeat.ts';
import type { Connection } from './connect.ts';

const lockClass = 0x7472_7072; // "trpr"
const checkIntervalMs = 2000;

export type ProcessLock = {
  /** The current lock id of this process; null while the lock is not held, such as during an outage. */
  id(): number | null;
  close(): Promise<void>;
};

/** Acquires the lock of this process. After a lost connection it is acquired again, with another id. */
export async function acquireProcessLock(connection: Connection): Promise<ProcessLock> {
  let held: { id: number; client: pg.Client } | null = null;
  const acquire = async () => {
    held = await lock(connection, (client) => {
      if (held?.client === client) held = null;
    });
  };
  const check = async () => {
    const current = held;
    if (!current) return acquire();
    // A connection pooler can replace the session without notice, which loses the lock.
    const isHeld = await isLocked(current.client, current.id).catch(() => false);
    if (isHeld || held !== current) return;
    held = null;
    await current.client.end().catch(() => undefined);
  };
  await acquire();
  const stopChecking = repeat(checkIntervalMs, () => check().catch(() => undefined));
  return {
    id: () => held?.id ?? null,
    async close() {
      await stopChecking();
      await held?.client.end().catch(() => undefined);
      held = null;
    },
  };
}

async function lock(connection: Connection, onLost: (client: pg.Client) => void): Promise<{ id: number; client: pg.Client }> {
  // The types of `pg` omit the arguments of this class.
  const Client = (connection.Client ?? pg.Client) as typeof pg.Client;
  const client = new Client({ ...connection, connectionTimeoutMillis: 3000, query_timeout: 3000, keepAlive: true });
  client.on('error', () => onLost(client));
  client.on('end', () => onLost(client));
  await client.connect();
  try {
    for (;;) {
      const id = randomInt(1, 2 ** 31 - 1);
      const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1, $2) as locked', [lockClass, id]);
      if (rows[0]?.locked) return { id, client };
    }
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

async function isLocked(client: pg.Client, id: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from pg_locks where locktype = 'advisory' and classid = ${lockClass} and objid = $1::integer::oid and pid = pg_backend_pid()`,
    [id],
  );
  return rowCount === 1;
}

/** SQL condition: the process whose lock id is in this column has ended. Reads the locks once per statement, not per row. */
export function hasProcessEnded(column: string) {
  return sql`(${sql.ref(column)} is not null and ${sql.ref(column)} <> all (array(
    select objid::bigint::integer from pg_locks where locktype = 'advisory' and classid = ${sql.lit(lockClass)}
      and database = (select oid from pg_database where datname = current_database()))))`;
}
