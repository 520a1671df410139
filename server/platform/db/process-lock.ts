// Whether a process is alive. Each one holds an advisory lock on a connection of its own; when the process ends, however it
// ends, the database releases the lock within moments. Others see by that which claims nobody works on any more.
import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import type { Connection } from './connect.ts';

const lockClass = 0x7472_7072; // "trpr"
const checkEveryMs = 2000;

export type ProcessLock = {
  /** The number under which this process is known now; null while its lock is not held, as during an outage. */
  id(): number | null;
  close(): Promise<void>;
};

/** Announces this process. After a lost connection it announces itself again, under another number. */
export async function acquireProcessLock(connection: Connection): Promise<ProcessLock> {
  let held: { id: number; client: pg.Client } | null = null;
  let isClosed = false;
  const announce = async () => {
    held = await lock(connection, (client) => {
      if (held?.client === client) held = null;
    });
  };
  const check = async () => {
    const current = held;
    if (!current) return announce();
    // Behind a connection pooler the session can change unnoticed, and the lock with it.
    const isHeld = await isLocked(current.client, current.id).catch(() => false);
    if (isHeld || held !== current) return;
    held = null;
    await current.client.end().catch(() => undefined);
  };
  await announce();
  let checking: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    checking = checking.then(() => (isClosed ? undefined : check())).catch(() => undefined);
  }, checkEveryMs).unref();
  return {
    id: () => held?.id ?? null,
    async close() {
      isClosed = true;
      clearInterval(timer);
      await checking;
      await held?.client.end().catch(() => undefined);
      held = null;
    },
  };
}

async function lock(connection: Connection, onLost: (client: pg.Client) => void): Promise<{ id: number; client: pg.Client }> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 3000, query_timeout: 3000, keepAlive: true });
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

/** SQL: the process that is named by this column has ended. The locks are read once for a statement, not for each row. */
export function hasProcessEnded(column: string) {
  return sql`(${sql.ref(column)} is not null and ${sql.ref(column)} <> all (array(
    select objid::bigint::integer from pg_locks where locktype = 'advisory' and classid = ${sql.lit(lockClass)}
      and database = (select oid from pg_database where datname = current_database()))))`;
}
